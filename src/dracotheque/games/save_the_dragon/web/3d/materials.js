/** Materials: colours of the day and of the night, washes on paper, crests and the faces of dice. */

import * as THREE from "/page/vendor/three.js";
import { dice } from "./mesh-builder.js";

/** @typedef {Record<string, string>} Palette */

/**
 * The colours of the page, by name: they stand in web/3d.css, by day and by night.
 * @param {Element} element @returns {Palette}
 */
export function palette(element) {
  const style = getComputedStyle(element);
  return new Proxy({}, { get: (_, name) => style.getPropertyValue(`--stair-${String(name)}`).trim() });
}

/**
 * A sheet of paper to paint on, as a texture.
 * @param {number} width @param {number} height @param {(pen: CanvasRenderingContext2D) => void} draw
 */
export function sheet(width, height, draw) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  draw(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")));
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

/** A colour that is not seen: to fade into, since “transparent” fades into black. @param {string} colour */
const clear = (colour) => `${colour}00`;

/**
 * Blots of watercolour.
 * @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} count @param {number} much
 * @param {number} seed
 */
function blots(pen, colour, count, much, seed) {
  const chance = dice(seed);
  const { width, height } = pen.canvas;
  for (let number = 0; number < count; number++) {
    const [x, y, r] = [chance() * width, chance() * height, (0.04 + 0.14 * chance()) * width];
    for (const [dx, dy] of [
      [0, 0],
      [width, 0],
      [-width, 0],
      [0, height],
      [0, -height],
    ]) {
      const spot = pen.createRadialGradient(x + dx, y + dy, r * 0.2, x + dx, y + dy, r);
      spot.addColorStop(0, colour);
      spot.addColorStop(0.8, colour);
      spot.addColorStop(1, clear(colour));
      pen.globalAlpha = much * chance();
      pen.fillStyle = spot;
      pen.fillRect(x + dx - r, y + dy - r, 2 * r, 2 * r);
    }
  }
  pen.globalAlpha = 1;
}

/** Stone under a wash: nearly white, for its colour comes from the stone. @param {Palette} colours */
export function stone(colours) {
  const texture = sheet(512, 512, (pen) => {
    pen.fillStyle = colours.white;
    pen.fillRect(0, 0, 512, 512);
    blots(pen, colours.wash, 46, 0.13, 3);
    const chance = dice(5);
    pen.fillStyle = colours.ink;
    for (let speck = 0; speck < 1400; speck++) {
      pen.globalAlpha = 0.02 + 0.07 * chance();
      pen.fillRect(chance() * 512, chance() * 512, 1 + 1.6 * chance(), 1 + chance());
    }
  });
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  return texture;
}

export const GROUND = 170; // how much ground is painted, in centimetres
const AWAY = -14; // the middle of it
export const GROUND_AT = AWAY;

/** The ground around the tower: meadow, a paved yard, and paper where the painter stopped. @param {Palette} colours */
export function ground(colours) {
  const size = 1024;
  const scale = size / GROUND;
  const at = (/** @type {number} */ x, /** @type {number} */ z) => [
    size / 2 + x * scale,
    size / 2 + (z - AWAY) * scale,
  ];
  return sheet(size, size, (pen) => {
    const chance = dice(11);
    blob(pen, colours.meadow, size / 2, size / 2, size * 0.36, 1, chance);
    pen.globalCompositeOperation = "source-atop";
    blots(pen, colours["meadow-deep"], 60, 0.4, 12);
    blots(pen, colours["meadow-light"], 40, 0.4, 13);
    const [x, y] = at(0, 7);
    blob(pen, colours.ink, x, y, 23.6 * scale, 0.72, dice(4));
    blob(pen, colours.floor, x, y, 23.2 * scale, 0.72, dice(4));
    pen.save();
    pen.clip(blobPath(x, y, 23.2 * scale, 0.72, dice(4)));
    flags(pen, colours, x, y, scale);
    pen.restore();
    tufts(pen, colours, size, chance);
    pen.globalCompositeOperation = "source-over";
  });
}

/** @param {number} x @param {number} y @param {number} r @param {number} flat @param {() => number} chance */
function blobPath(x, y, r, flat, chance) {
  const path = new Path2D();
  const phases = [chance() * 6, chance() * 6, chance() * 6];
  for (let turn = 0; turn <= 96; turn++) {
    const angle = (turn / 96) * 2 * Math.PI;
    const far =
      r *
      (1 +
        0.035 * Math.sin(3 * angle + phases[0]) +
        0.03 * Math.sin(5 * angle + phases[1]) +
        0.012 * Math.sin(11 * angle + phases[2]));
    path.lineTo(x + Math.cos(angle) * far, y + Math.sin(angle) * far * flat);
  }
  path.closePath();
  return path;
}

/**
 * A wash with a soft and wavy edge.
 * @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} x @param {number} y @param {number} r
 * @param {number} flat @param {() => number} chance
 */
function blob(pen, colour, x, y, r, flat, chance) {
  pen.fillStyle = colour;
  if (flat === 1) {
    for (const [grow, much] of [
      [1.32, 0.25],
      [1.2, 0.4],
      [1.08, 0.6],
      [0.98, 1],
    ]) {
      pen.globalAlpha = much;
      pen.fill(blobPath(x, y, r * grow, 1, chance));
    }
    pen.globalAlpha = 1;
  } else pen.fill(blobPath(x, y, r, flat, chance));
}

/**
 * Lay flags.
 * @param {CanvasRenderingContext2D} pen @param {Palette} colours @param {number} x @param {number} y
 * @param {number} scale
 */
function flags(pen, colours, x, y, scale) {
  const chance = dice(21);
  for (let row = -9; row < 9; row++) {
    for (let column = -10; column < 10; column++) {
      const [w, h] = [4.6 * scale, 3.4 * scale];
      const left = x + column * w + (row % 2 ? w / 2 : 0) + (chance() - 0.5) * 3;
      const top = y + row * h + (chance() - 0.5) * 2;
      pen.globalAlpha = 0.35 * chance();
      pen.fillStyle = chance() < 0.5 ? colours["floor-deep"] : colours["stair-light"];
      pen.fillRect(left, top, w, h);
      pen.globalAlpha = 0.34;
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1;
      pen.strokeRect(left, top, w, h);
    }
  }
  pen.globalAlpha = 1;
}

/**
 * Grass and flowers.
 * @param {CanvasRenderingContext2D} pen @param {Palette} colours @param {number} size @param {() => number} chance
 */
function tufts(pen, colours, size, chance) {
  for (let number = 0; number < 420; number++) {
    const [angle, far] = [chance() * 6.3, (0.16 + 0.27 * chance()) * size];
    const [x, y] = [size / 2 + Math.cos(angle) * far, size / 2 + Math.sin(angle) * far];
    if (y > size * 0.53 && Math.abs(x - size / 2) < size * 0.16) continue;
    pen.globalAlpha = 0.5;
    pen.strokeStyle = colours["leaf-deep"];
    pen.lineWidth = 1.3;
    pen.beginPath();
    for (const lean of [-3, 0, 3]) (pen.moveTo(x + lean / 2, y), pen.lineTo(x + lean, y - 5 - 3 * chance()));
    pen.stroke();
    if (number % 6) continue;
    pen.globalAlpha = 0.9;
    pen.fillStyle = [colours.flower, colours["flower-too"], colours["stair-light"]][number % 3];
    pen.beginPath();
    pen.arc(x + 6, y - 4, 2, 0, 7);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

/** Straw in the yard, where one falls softly. @param {Palette} colours */
export function straw(colours) {
  return sheet(512, 512, (pen) => {
    pen.fillStyle = colours.straw;
    pen.fillRect(0, 0, 512, 512);
    const chance = dice(17);
    for (let number = 0; number < 1500; number++) {
      const [x, y, angle, long] = [chance() * 512, chance() * 512, chance() * 3.2, 14 + 26 * chance()];
      pen.globalAlpha = 0.25 + 0.5 * chance();
      pen.strokeStyle = [colours["straw-light"], colours["straw-deep"], colours["straw-light"], colours.ink][
        number % 19 === 3 ? 3 : number % 3
      ];
      pen.lineWidth = 1 + 1.6 * chance();
      pen.beginPath();
      pen.moveTo(x, y);
      pen.quadraticCurveTo(
        x + Math.cos(angle) * long * 0.5 + 4,
        y + Math.sin(angle) * long * 0.5,
        x + Math.cos(angle) * long,
        y + Math.sin(angle) * long,
      );
      pen.stroke();
    }
  });
}

/** Numbers of steps and letters of doors, on one sheet: nine, then three, in a row. @param {Palette} colours */
export function plates(colours) {
  return sheet(1024, 128, (pen) => {
    [..."123456789abc"].forEach((sign, number) => {
      const x = (number + 0.5) * (1024 / 12);
      pen.fillStyle = colours.card;
      pen.strokeStyle = colours.outline;
      pen.lineWidth = 6;
      pen.beginPath();
      pen.roundRect(x - 36, 12, 72, 104, 16);
      pen.fill();
      pen.stroke();
      pen.fillStyle = colours.outline;
      pen.font = "700 84px Alegreya, Georgia, serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(sign, x, 68);
    });
  });
}

/** What glows where something may be chosen: a soft light within a ring. @param {Palette} colours */
export function glow(colours) {
  return sheet(256, 256, (pen) => {
    const light = pen.createRadialGradient(128, 128, 10, 128, 128, 126);
    light.addColorStop(0, `${colours["may-light"]}90`);
    light.addColorStop(0.72, `${colours.may}f0`);
    light.addColorStop(1, clear(colours.may));
    pen.globalAlpha = 0.85;
    pen.fillStyle = light;
    pen.fillRect(0, 0, 256, 256);
    pen.globalAlpha = 1;
    for (const [colour, wide] of [
      [colours.outline, 13],
      [colours["may-light"], 8],
    ]) {
      pen.strokeStyle = String(colour);
      pen.lineWidth = Number(wide);
      pen.setLineDash([46, 16]);
      pen.beginPath();
      pen.arc(128, 128, 98, 0, 2 * Math.PI);
      pen.stroke();
    }
  });
}

/**
 * What tints a cell that a piece may go to: a wash with an ink edge, on its tread or on the riser before it.
 * @param {Palette} colours @param {"free" | "paid"} tint @param {boolean} upright
 */
export function tile(colours, tint, upright) {
  return sheet(256, upright ? 128 : 192, (pen) => {
    const { width, height } = pen.canvas;
    pen.beginPath();
    pen.roundRect(9, 9, width - 18, height - 18, 26);
    pen.fillStyle = colours[tint];
    pen.globalAlpha = upright ? 0.5 : 0.86;
    pen.fill();
    pen.globalAlpha = upright ? 0.5 : 1;
    for (const [colour, wide] of [[colours.outline, 15], [colours[`${tint}-edge`], 9]]) {
      pen.strokeStyle = String(colour);
      pen.lineWidth = Number(wide);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  });
}

/** The frame of a doorway whose door may be taken up. @param {Palette} colours */
export function arch(colours) {
  return sheet(256, 320, (pen) => {
    pen.beginPath();
    pen.roundRect(20, 14, 216, 330, [108, 108, 0, 0]);
    for (const [colour, wide] of [[colours.outline, 30], [colours["may-light"], 21]]) {
      pen.strokeStyle = String(colour);
      pen.lineWidth = Number(wide);
      pen.stroke();
    }
  });
}

/** A token, as it lies before a seat. @param {Palette} colours @param {() => void} ready */
export const token = (colours, ready) =>
  drawing(document.getElementById("p-token")?.innerHTML ?? "", colours.gold, "", ready);

/** A soft round shadow or light. @param {string} colour */
export function soft(colour) {
  return sheet(128, 128, (pen) => {
    const light = pen.createRadialGradient(64, 64, 4, 64, 64, 62);
    light.addColorStop(0, colour);
    light.addColorStop(1, clear(colour));
    pen.fillStyle = light;
    pen.fillRect(0, 0, 128, 128);
  });
}

/**
 * A drawing of the flat board as a texture; `ready` is called once it is there.
 * @param {string} markup about its zero and a hundred wide @param {string} seat its colour @param {string} back
 * @param {() => void} ready
 */
export function drawing(markup, seat, back, ready) {
  const texture = sheet(256, 256, (pen) => {
    pen.fillStyle = back;
    if (back) pen.fillRect(0, 0, 256, 256);
  });
  const image = new Image(256, 256);
  image.onload = () => {
    texture.image.getContext("2d")?.drawImage(image, 0, 0, 256, 256);
    texture.needsUpdate = true;
    ready();
  };
  const size = 'viewBox="-50 -50 100 100" width="256" height="256"';
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} style="--seat:${seat}">`;
  image.src = `data:image/svg+xml,${encodeURIComponent(`${head}${markup}</svg>`)}`;
  return texture;
}

/** Light falls in four steps, as a wash does. */
export function steps() {
  const texture = new THREE.DataTexture(new Uint8Array([96, 150, 215, 255]), 4, 1, THREE.RedFormat);
  texture.minFilter = texture.magFilter = THREE.NearestFilter;
  texture.needsUpdate = true;
  return texture;
}
