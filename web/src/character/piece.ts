// Pieces of characters: simple solids, each on a bone, with a color of its own and a share of its side's color.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

type Triple = readonly [number, number, number];

/** Where a piece is on its bone, how it is turned, and how much of the side's color it takes, 0 to 1. */
export interface Place { at?: Triple; turn?: Triple; side?: number; stretch?: Triple }

export const box = (x: number, y: number, z: number): THREE.BufferGeometry => new THREE.BoxGeometry(x, y, z);
export const ball = (radius: number, round = 10): THREE.BufferGeometry => new THREE.SphereGeometry(radius, round, Math.max(5, Math.round(round * 0.7)));
export const rod = (top: number, bottom: number, long: number, round = 8): THREE.BufferGeometry => new THREE.CylinderGeometry(top, bottom, long, round);
export const cone = (radius: number, long: number, round = 8): THREE.BufferGeometry => new THREE.ConeGeometry(radius, long, round);
export const limb = (radius: number, long: number): THREE.BufferGeometry => new THREE.CapsuleGeometry(radius, long, 2, 7);
export const dome = (radius: number, share = 0.5, round = 10): THREE.BufferGeometry => new THREE.SphereGeometry(radius, round, 5, 0, 2 * Math.PI, 0, Math.PI * share);
export const ring = (radius: number, thick: number): THREE.BufferGeometry => new THREE.TorusGeometry(radius, thick, 5, 12);

/** A box whose top is another size than its bottom: chests, skirts, noses. */
export function wedge(bottom: readonly [number, number], top: readonly [number, number], high: number): THREE.BufferGeometry {
  const geometry = new THREE.BoxGeometry(1, high, 1);
  const places = geometry.getAttribute("position");
  for (let corner = 0; corner < places.count; corner += 1) {
    const [wide, deep] = places.getY(corner) > 0 ? top : bottom;
    places.setX(corner, places.getX(corner) * wide);
    places.setZ(corner, places.getZ(corner) * deep);
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** A solid as a piece of a bone. */
export function piece(bone: number, geometry: THREE.BufferGeometry, hex: number, { at = [0, 0, 0], turn = [0, 0, 0], side = 0, stretch = [1, 1, 1] }: Place = {}): THREE.BufferGeometry {
  const made = geometry.index === null ? geometry : geometry.toNonIndexed();
  made.deleteAttribute("uv");
  const [count, color] = [made.getAttribute("position").count, new THREE.Color(hex)];
  const [colors, marks] = [new Float32Array(count * 3), new Float32Array(count * 2)];
  for (let corner = 0; corner < count; corner += 1) {
    color.toArray(colors, corner * 3);
    marks[corner * 2] = bone;
    marks[corner * 2 + 1] = side;
  }
  made.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  made.setAttribute("mark", new THREE.BufferAttribute(marks, 2));
  return made.scale(...stretch).rotateX(turn[0]).rotateY(turn[1]).rotateZ(turn[2]).translate(...at);
}

export const merged = (pieces: readonly THREE.BufferGeometry[]): THREE.BufferGeometry => mergeGeometries([...pieces]);
