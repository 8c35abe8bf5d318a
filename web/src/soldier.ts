// Somebody with a rifle, in 3D: cloth in the color of the side, boots, face and gun in their own; legs that stride, knees that
// bend, one that falls when he dies.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Body } from "./agent.js";

const SOLDIERS_MAX = 64;
/** Height of the hips of who stands, and the share that is left of it when he crouches. */
const HIP_M = 0.88, LOW_SHARE = 0.42;
/** How far legs swing, rad, and how many radians of a stride a meter is. */
const SWING = 0.62, PER_M = 3.7;
/** Farther than this in a moment nobody walks, m. */
const JUMP_M = 0.6;
/** How long somebody takes to fall, s. */
const FALL_S = 0.55;

const [SKIN, GUN, BOOT, STRAP] = [0xc49a78, 0x2c3137, 0x33302c, 0x4b4a40];

function piece(geometry: THREE.BufferGeometry, hex: number, at: readonly [number, number, number], turn: readonly [number, number, number] = [0, 0, 0]): THREE.BufferGeometry {
  const color = new THREE.Color(hex);
  const count = geometry.getAttribute("position").count;
  const colors = new Float32Array(count * 3);
  for (let corner = 0; corner < count; corner += 1) color.toArray(colors, corner * 3);
  geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  return geometry.toNonIndexed().rotateX(turn[0]).rotateY(turn[1]).rotateZ(turn[2]).translate(...at);
}

const box = (x: number, y: number, z: number) => new THREE.BoxGeometry(x, y, z);
const limb = (radius: number, long: number) => new THREE.CapsuleGeometry(radius, long, 3, 8);

/** What takes the color of the side, from the hips up: trunk, helmet, arms that hold a gun. */
function cloth(): THREE.BufferGeometry {
  return mergeGeometries([
    piece(box(0.42, 0.5, 0.25), 0xffffff, [0, 0.33, 0]), piece(box(0.36, 0.16, 0.23), 0xc8c8c8, [0, 0.04, 0]),
    piece(new THREE.SphereGeometry(0.145, 12, 8, 0, 2 * Math.PI, 0, Math.PI * 0.56), 0x9a9a9a, [0, 0.76, 0]),
    piece(box(0.24, 0.03, 0.12), 0x9a9a9a, [0, 0.73, -0.14]),
    piece(limb(0.062, 0.2), 0xe0e0e0, [0.24, 0.4, -0.06], [0.5, 0, 0.1]), piece(limb(0.055, 0.2), 0xe0e0e0, [0.17, 0.31, -0.2], [1.35, -0.35, 0]),
    piece(limb(0.062, 0.22), 0xe0e0e0, [-0.22, 0.4, -0.12], [0.85, 0, -0.15]), piece(limb(0.055, 0.24), 0xe0e0e0, [-0.1, 0.34, -0.34], [1.5, 0.55, 0]),
  ]);
}

/** What has a color of its own. */
function kit(): THREE.BufferGeometry {
  return mergeGeometries([
    piece(new THREE.SphereGeometry(0.118, 12, 10), SKIN, [0, 0.725, -0.015]), piece(box(0.2, 0.045, 0.05), 0x15181b, [0, 0.725, -0.115]),
    piece(box(0.05, 0.08, 0.46), GUN, [0.09, 0.36, -0.38]), piece(new THREE.CylinderGeometry(0.014, 0.014, 0.34, 6).rotateX(Math.PI / 2), GUN, [0.09, 0.375, -0.74]),
    piece(box(0.04, 0.15, 0.06), GUN, [0.09, 0.27, -0.42]), piece(box(0.05, 0.11, 0.2), 0x5b4a39, [0.09, 0.33, -0.08]),
    piece(box(0.45, 0.07, 0.27), STRAP, [0, 0.15, 0]), piece(box(0.14, 0.16, 0.06), STRAP, [-0.1, 0.33, -0.15]), piece(box(0.34, 0.36, 0.14), STRAP, [0, 0.38, 0.18]),
  ]);
}

function leg(): THREE.BufferGeometry {
  return mergeGeometries([piece(limb(0.085, HIP_M - 0.32), 0xb4b4b4, [0, -(HIP_M - 0.1) / 2, 0]), piece(box(0.13, 0.12, 0.27), BOOT, [0, -HIP_M + 0.06, -0.05])]);
}

interface Gait { x: number; z: number; phase: number; pace: number; low: number; health: number; flash: number }

/** Who lies there: whose key, side, where, which way, and for how long, s. */
export interface Lying { key: number; team: number; x: number; y: number; z: number; yaw: number; seconds: number }

export class Soldiers {
  readonly group = new THREE.Group();
  private cloth: THREE.InstancedMesh;
  private kit: THREE.InstancedMesh;
  private legs: [THREE.InstancedMesh, THREE.InstancedMesh];
  private shadows: THREE.InstancedMesh;
  private gaits = new Map<number, Gait>();

  constructor() {
    const solid = () => new THREE.MeshLambertMaterial({ vertexColors: true });
    const made = (shape: THREE.BufferGeometry, material: THREE.Material) => {
      const mesh = new THREE.InstancedMesh(shape, material, SOLDIERS_MAX);
      mesh.frustumCulled = false;
      mesh.count = 0;
      this.group.add(mesh);
      return mesh;
    };
    [this.cloth, this.kit, this.legs] = [made(cloth(), solid()), made(kit(), solid()), [made(leg(), solid()), made(leg(), solid())]];
    const dark = new THREE.MeshBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.2, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 });
    this.shadows = made(new THREE.CircleGeometry(0.42, 20).rotateX(-Math.PI / 2), dark);
    this.shadows.renderOrder = 1;
  }

  clear(): void {
    this.gaits.clear();
    this.stand([], [], () => new THREE.Color());
  }

  /** Puts everybody in place. */
  stand(all: readonly Body[], lying: readonly Lying[], colorOf: (it: { key: number; team: number }) => THREE.Color): void {
    const place = new THREE.Matrix4();
    let count = 0;
    const add = (root: THREE.Matrix4, low: number, swing: number, color: THREE.Color) => {
      if (count >= SOLDIERS_MAX) return;
      const knee = 1 - (1 - LOW_SHARE) * low;
      const trunk = place.clone().makeTranslation(0, HIP_M * knee, 0).multiply(new THREE.Matrix4().makeRotationX(-0.3 * low)).premultiply(root);
      this.cloth.setMatrixAt(count, trunk);
      this.kit.setMatrixAt(count, trunk);
      this.cloth.setColorAt(count, color);
      this.legs.forEach((mesh, side) => {
        const hip = new THREE.Matrix4().makeTranslation(side === 0 ? 0.1 : -0.1, HIP_M * knee, 0);
        hip.multiply(new THREE.Matrix4().makeRotationX((side === 0 ? swing : -swing) + (side === 0 ? 0.45 : -0.45) * low)).multiply(new THREE.Matrix4().makeScale(1, knee, 1));
        mesh.setMatrixAt(count, hip.premultiply(root));
        mesh.setColorAt(count, color);
      });
      count += 1;
    };
    for (const body of all) {
      const gait = this.walk(body);
      const root = new THREE.Matrix4().makeRotationY(body.yaw).setPosition(body.x, body.y + Math.abs(Math.cos(gait.phase)) * 0.03 * gait.pace, body.z);
      const color = colorOf(body).clone();
      // Who is badly hurt is dark with blood, and who was just hit flinches.
      color.lerp(new THREE.Color(0x5a1410), Math.min(0.55, (1 - body.health) * 0.55)).lerp(new THREE.Color(0xffe3d0), gait.flash * 0.8);
      add(root.multiply(new THREE.Matrix4().makeRotationX(gait.flash * 0.12)), gait.low, Math.sin(gait.phase) * SWING * gait.pace, color);
      this.shadows.setMatrixAt(count - 1, place.makeTranslation(body.x, body.y + 0.03, body.z));
    }
    this.shadows.count = count;
    for (const it of lying) {
      const fall = Math.min(1, it.seconds / FALL_S);
      const root = new THREE.Matrix4().makeRotationY(it.yaw).setPosition(it.x, it.y + 0.13 * fall, it.z);
      add(root.multiply(new THREE.Matrix4().makeRotationX(fall * fall * 1.5)), 0, 0.12 * fall, colorOf(it).clone().multiplyScalar(0.6));
    }
    for (const mesh of [this.cloth, this.kit, ...this.legs]) mesh.count = count;
    for (const mesh of [this.cloth, this.kit, ...this.legs, this.shadows]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  private walk(body: Body): Gait {
    const old = this.gaits.get(body.key) ?? { x: body.x, z: body.z, phase: 0, pace: 0, low: Number(body.crouched), health: body.health, flash: 0 };
    const far = Math.hypot(body.x - old.x, body.z - old.z);
    const isStep = far < JUMP_M;
    const gait = {
      x: body.x, z: body.z, phase: old.phase + (isStep ? far * PER_M : 0), pace: old.pace + (Math.min(1, isStep ? far * 20 : 0) - old.pace) * 0.2,
      low: old.low + (Number(body.crouched) - old.low) * 0.22, health: body.health, flash: body.health < old.health - 1e-4 ? 1 : old.flash * 0.82,
    };
    this.gaits.set(body.key, gait);
    return gait;
  }
}
