// Lets the search work from the file system, where browsers start no workers: the script runs in a hidden frame instead.
// Material would fetch such a script from another host; a page over HTTP has workers and leaves this alone.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = (this.inside = frame.contentWindow);
      inside.document.open();
      inside.document.write("<!doctype html><script>var importing = Promise.resolve();</scr" + "ipt>");
      inside.document.close();
      inside.postMessage = (data) => this.tell(data);
      inside.importScripts = (...urls) => {
        for (const each of urls) inside.importing = inside.importing.then(() => load(inside, new URL(each, url)));
        return inside.importing;
      };
      load(inside, url).then(() => {
        this.ready = true;
        for (const data of this.waiting) this.hear(data);
      });
    }

    /** A message to the script. */
    postMessage(data) {
      if (this.ready) this.hear(data);
      else this.waiting.push(data);
    }

    hear(data) {
      this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }

    /** A message from the script. */
    tell(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }

    terminate() {
      this.inside.frameElement?.remove();
    }
  };
}

function load(inside, url) {
  return new Promise((done, failed) => {
    const script = inside.document.createElement("script");
    script.src = url;
    script.onload = done;
    script.onerror = () => failed(new Error(`No script at ${url}.`));
    inside.document.body.append(script);
  });
}
