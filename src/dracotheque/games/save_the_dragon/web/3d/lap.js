/** The lap of honour: the chain bursts, and the dragon flies once round the tower with the winner on its back. */

import * as THREE from "/page/vendor/three.js";
import { free } from "./dragon.js";
import { BACK, HALL } from "./geometry.js";
import { dice } from "./mesh-builder.js";

/** @typedef {import("./dragon.js").Dragon} Dragon */

export const LAP = 3400; // milliseconds
const BURST = 0.22; // of the lap, while the links fly
const LINKS = 9;
const AROUND = new THREE.Vector3(0, HALL + 4, BACK - 7); // the middle of its way
const WIDE = 19; // half the width of its way
const DEEP = 24; // half the depth
const BEATS = 9; // of its wings
const SADDLE = new THREE.Vector3(0.3, 4.3, -1.7); // where one sits on its back
const BANK = 0.22; // radians: so far it leans

/** The links of the burst chain, where it was. @param {Dragon} dragon @param {any} material */
export function burstChain(dragon, material) {
  const chance = dice(83);
  const links = new THREE.Group();
  const from = dragon.group.position.clone().add(new THREE.Vector3(2, 4, 1));
  for (let number = 0; number < LINKS; number++) {
    const link = new THREE.Mesh(new THREE.TorusGeometry(0.5, 0.17, 6, 12), material);
    link.position.copy(from).add(new THREE.Vector3(number * 0.5, Math.sin(number), 0));
    link.userData = { from: link.position.clone(), way: [chance() * 16 - 7, 7 + chance() * 9, 4 + chance() * 9] };
    links.add(link);
  }
  return links;
}

/** Let the links fly, up to a share of the lap. @param {any} links @param {number} way */
export function fly(links, way) {
  const gone = way / BURST;
  links.visible = gone > 0 && gone < 1;
  for (const { position, rotation, userData } of links.children) {
    const [x, y, z] = userData.way;
    position.copy(userData.from).add(new THREE.Vector3(x * gone, y * gone - 14 * gone * gone, z * gone));
    rotation.set(gone * x, gone * y, gone * z);
  }
}

/** Where the dragon is on its way round the tower. @param {number} way */
function around(way) {
  const angle = way * 2 * Math.PI;
  return AROUND.clone().add(new THREE.Vector3(Math.sin(angle) * WIDE, Math.sin(angle / 2) * 5, Math.cos(angle) * DEEP));
}

/**
 * Show the dragon at a share of its lap, with a pawn on its back.
 * @param {Dragon} dragon @param {any} rider @param {number} way
 */
export function fliesBy(dragon, rider, way) {
  free(dragon, 1);
  const { group, wings } = dragon;
  const [home, round] = [group.position.clone(), ease(Math.min(1, Math.max(0, (way - BURST / 2) / (1 - BURST))))];
  const away = ease(Math.min(1, way / BURST)) * ease(Math.min(1, (1 - way) / BURST));
  const [here, next] = [around(round), around(round + 0.01)];
  group.position.lerpVectors(home, here, away);
  const [dx, dz] = [next.x - here.x, next.z - here.z];
  group.rotation.set(0, Math.atan2(dx, dz) * away, -BANK * away);
  const beat = Math.sin(way * BEATS * 2 * Math.PI) * away;
  wings.forEach((wing, number) => (wing.rotation.z = (number ? 1 : -1) * (0.35 + 0.55 * beat)));
  if (!rider) return;
  group.updateMatrixWorld();
  rider.position.copy(group.localToWorld(SADDLE.clone()));
  rider.quaternion.copy(group.quaternion);
}

/** @param {number} way */
const ease = (way) => way * way * (3 - 2 * way);
