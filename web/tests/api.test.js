import { beforeEach, describe, expect, test, vi } from "vitest";

const LOST = { code: "lost" };

/** @type {typeof import("../../src/dracotheque/server/page/js/api.js")} */
let api;
beforeEach(async () => {
  vi.resetModules();
  api = await import("../../src/dracotheque/server/page/js/api.js");
});

/** Let a server answer like this, one time after the other. @param {...(() => any)} answers */
function serve(...answers) {
  const fetch = vi.fn(async () => /** @type {() => any} */ (answers.shift())());
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

const broken = () => {
  throw new TypeError("Failed to fetch");
};
const cut = () => ({ ok: true, json: async () => broken() });
const proxy = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
const given = () => Response.json({ is: "there" });

describe("a question", () => {
  test.each([["unanswered", broken], ["cut in the middle", cut], ["answered by a proxy", proxy]])(
    "that is %s is lost", async (_, answer) => {
      serve(answer);
      await expect(api.get("/api/me")).rejects.toMatchObject(LOST);
    });

  test("that is refused says why", async () => {
    serve(() => Response.json({ code: "not_yours", text: "It is not yours." }, { status: 403 }));
    await expect(api.get("/api/me")).rejects.toMatchObject({ code: "not_yours", message: "It is not yours." });
  });
});

describe("what does not change", () => {
  test("is asked for once", async () => {
    const fetch = serve(given);
    expect(await Promise.all([api.getOnce("/rules"), api.getOnce("/rules")])).toEqual([{ is: "there" }, { is: "there" }]);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test("is asked for again where it was lost", async () => {
    serve(broken, given);
    await expect(api.getOnce("/rules")).rejects.toMatchObject(LOST);
    expect(await api.getOnce("/rules")).toEqual({ is: "there" });
  });
});

describe("a script", () => {
  test("that does not come is lost", async () => {
    const why = new TypeError("Failed to fetch dynamically imported module: /page/js/table-page.js");
    await expect(api.loaded(Promise.reject(why))).rejects.toMatchObject(LOST);
  });

  test("that is broken stays an error", async () => {
    for (const why of [new SyntaxError("Unexpected token"), new TypeError("page.box is undefined")])
      await expect(api.loaded(Promise.reject(why))).rejects.toBe(why);
  });
});
