/** Builds meshes: coloured parts merged into one geometry, an ink outline, and pen strokes in space. */

import * as THREE from "/page/vendor/three.js";

/** @typedef {[number, number, number]} Point */
/** @typedef {{ turn?: Point, scale?: number | Point, map?: boolean }} How */

/** @param {number} width @param {number} height @param {number} depth */
export const cuboid = (width, height, depth) => new THREE.BoxGeometry(width, height, depth);

/** Coloured parts that are merged into one geometry, so that the card draws them in one call. */
export class MeshBuilder {
  /** @type {any[]} */
  parts = [];

  /** @param {any} geometry @param {string} colour @param {Point} [at] @param {How} [how] */
  add(geometry, colour, at = [0, 0, 0], { turn = [0, 0, 0], scale = 1 } = {}) {
    const lump = geometry.index ? geometry.toNonIndexed() : geometry.clone();
    const size = typeof scale === "number" ? [scale, scale, scale] : scale;
    const quaternion = new THREE.Quaternion().setFromEuler(new THREE.Euler(...turn));
    lump.applyMatrix4(new THREE.Matrix4().compose(new THREE.Vector3(...at), quaternion, new THREE.Vector3(...size)));
    const { r, g, b } = new THREE.Color(colour);
    const count = lump.attributes.position.count;
    const colours = new Float32Array(count * 3);
    for (let corner = 0; corner < count; corner++) colours.set([r, g, b], corner * 3);
    lump.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    if (!lump.attributes.uv) lump.setAttribute("uv", new THREE.BufferAttribute(new Float32Array(count * 2), 2));
    for (const name of Object.keys(lump.attributes)) {
      if (!["position", "normal", "color", "uv"].includes(name)) lump.deleteAttribute(name);
    }
    this.parts.push(lump);
    geometry.dispose();
    return this;
  }

  /** @param {Point} size @param {string} colour @param {Point} at @param {How} [how] */
  cuboid(size, colour, at, how) {
    return this.add(cuboid(...size), colour, at, how);
  }

  /** @param {number} radius @param {string} colour @param {Point} at @param {How} [how] */
  ball(radius, colour, at, how) {
    const round = radius < 0.35 ? 8 : 12; // small ones need fewer corners
    return this.add(new THREE.SphereGeometry(radius, round, round - 3), colour, at, how);
  }

  /**
   * @param {number} top @param {number} foot @param {number} high @param {string} colour @param {Point} at
   * @param {How} [how]
   */
  post(top, foot, high, colour, at, how) {
    return this.add(new THREE.CylinderGeometry(top, foot, high, high < 0.3 ? 40 : 20), colour, at, how);
  }

  /**
   * Turn a shape on the lathe.
   * @param {[number, number][]} outline @param {string} colour @param {Point} [at] @param {How} [how]
   */
  turned(outline, colour, at, how) {
    const points = outline.map(([radius, height]) => new THREE.Vector2(radius, height));
    return this.add(new THREE.LatheGeometry(points, 18), colour, at, how);
  }

  /** Put everything together. */
  shape() {
    const whole = THREE.mergeGeometries(this.parts);
    for (const part of this.parts) part.dispose();
    this.parts = [];
    return whole;
  }
}

/**
 * Lay a texture over a shape as if it were wrapped in paper.
 * @param {any} geometry @param {number} [size] of one sheet
 */
export function wrap(geometry, size = 14) {
  const { position, normal, uv } = geometry.attributes;
  for (let corner = 0; corner < position.count; corner++) {
    const [x, y, z] = [position.getX(corner), position.getY(corner), position.getZ(corner)];
    const [nx, ny, nz] = [normal.getX(corner), normal.getY(corner), normal.getZ(corner)].map(Math.abs);
    const [u, v] = ny > nx && ny > nz ? [x, z] : nx > nz ? [z, y] : [x, y];
    uv.setXY(corner, u / size, v / size);
  }
  return geometry;
}

/**
 * The outline of a shape: the same, a little thicker, of which only the far side is seen.
 * @param {any} geometry @param {number} thick
 */
export function outline(geometry, thick) {
  const { position, normal } = (geometry.index ? geometry.toNonIndexed() : geometry).attributes;
  /** @type {Map<number, number[]>} */
  const shared = new Map();
  const whole = (/** @type {number} */ part) => Math.round(part * 1000) + 65536;
  const name = (/** @type {number} */ corner) =>
    // one number for a corner, far faster than words
    (whole(position.getX(corner)) * 131072 + whole(position.getY(corner))) * 131072 + whole(position.getZ(corner));
  for (let corner = 0; corner < position.count; corner++) {
    const sum = shared.get(name(corner)) ?? [0, 0, 0];
    shared.set(name(corner), [
      sum[0] + normal.getX(corner),
      sum[1] + normal.getY(corner),
      sum[2] + normal.getZ(corner),
    ]);
  }
  const grown = new Float32Array(position.count * 3);
  for (let corner = 0; corner < position.count; corner++) {
    const sum = /** @type {number[]} */ (shared.get(name(corner)));
    const length = Math.hypot(...sum) || 1;
    const at = [position.getX(corner), position.getY(corner), position.getZ(corner)];
    grown.set(
      at.map((part, axis) => part + (thick * sum[axis]) / length),
      corner * 3,
    );
  }
  const made = new THREE.BufferGeometry();
  made.setAttribute("position", new THREE.BufferAttribute(grown, 3));
  return made;
}

/**
 * A tube that grows thinner, through points.
 * @param {Point[]} points @param {number[]} radii @param {number} [sides]
 */
export function tapered(points, radii, sides = 8) {
  const curve = new THREE.CatmullRomCurve3(points.map((point) => new THREE.Vector3(...point)));
  const rings = points.length * 4;
  const frames = curve.computeFrenetFrames(rings, false);
  const corners = [];
  const faces = [];
  for (let ring = 0; ring <= rings; ring++) {
    const way = (ring / rings) * (radii.length - 1);
    const low = Math.min(Math.floor(way), radii.length - 2);
    const radius = radii[low] + (radii[low + 1] - radii[low]) * (way - low);
    const middle = curve.getPointAt(ring / rings);
    for (let side = 0; side < sides; side++) {
      const angle = (side / sides) * 2 * Math.PI;
      const spoke = frames.normals[ring]
        .clone()
        .multiplyScalar(Math.cos(angle) * radius)
        .addScaledVector(frames.binormals[ring], Math.sin(angle) * radius);
      corners.push(middle.x + spoke.x, middle.y + spoke.y, middle.z + spoke.z);
      if (ring < rings) {
        const [here, next] = [ring * sides + side, ring * sides + ((side + 1) % sides)];
        faces.push(here, next, here + sides, next, next + sides, here + sides);
      }
    }
  }
  const made = new THREE.BufferGeometry();
  made.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  made.setIndex(faces);
  made.computeVertexNormals();
  return made;
}

/** A pen that draws in space: every stroke is a thin bar, thicker in the middle, and never quite straight. */
export class Pen {
  /** @type {number[]} */
  corners = [];
  chance = dice(7);

  /** @param {Point} from @param {Point} to @param {number} [thick] */
  line(from, to, thick = 0.07) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const pieces = Math.max(1, Math.min(5, Math.round(length / 3)));
    /** @type {Point} */
    let here = from;
    for (let piece = 1; piece <= pieces; piece++) {
      const way = piece / pieces;
      const shake = piece < pieces ? 0.035 : 0;
      const next = /** @type {Point} */ (
        from.map((part, axis) => part + (to[axis] - part) * way + shake * (this.chance() * 2 - 1))
      );
      this.bar(here, next, thick * (0.95 + 0.5 * this.chance()));
      here = next;
    }
    return this;
  }

  /** @param {Point[]} points @param {number} [thick] */
  lines(points, thick) {
    points.slice(1).forEach((point, number) => this.line(points[number], point, thick));
    return this;
  }

  /** @param {Point} from @param {Point} to @param {number} thick */
  bar(from, to, thick) {
    const way = new THREE.Vector3(to[0] - from[0], to[1] - from[1], to[2] - from[2]).normalize();
    const aside = new THREE.Vector3(Math.abs(way.y) > 0.9 ? 1 : 0, Math.abs(way.y) > 0.9 ? 0 : 1, 0)
      .cross(way)
      .normalize();
    const up = new THREE.Vector3().crossVectors(way, aside);
    const ring = (/** @type {Point} */ end, /** @type {number} */ on) =>
      [0, 1, 2].map((corner) => {
        const angle = (corner * 2 * Math.PI) / 3;
        return new THREE.Vector3(...end)
          .addScaledVector(way, on * thick * 0.5)
          .addScaledVector(aside, Math.cos(angle) * thick)
          .addScaledVector(up, Math.sin(angle) * thick);
      });
    const [first, last] = [ring(from, -1), ring(to, 1)];
    for (let corner = 0; corner < 3; corner++) {
      const next = (corner + 1) % 3;
      for (const point of [first[corner], first[next], last[corner], last[corner], first[next], last[next]]) {
        this.corners.push(point.x, point.y, point.z);
      }
    }
  }

  shape() {
    const made = new THREE.BufferGeometry();
    made.setAttribute("position", new THREE.Float32BufferAttribute(this.corners, 3));
    return made;
  }
}

/** Chance that is the same every time, so that the tower always looks the same. @param {number} seed */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}
