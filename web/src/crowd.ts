// Bodies in 3D, those of the other run beside them, and bars of health.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Picture } from "../pkg/sentir.js";
import type { Body } from "./agent.js";
import { each } from "./frame.js";
import { Soldiers, type Lying } from "./soldier.js";
import { Soup } from "./soup.js";
import { onTone, tone } from "./tone.js";

const BODIES_MAX = 2048;
/** The layer of bodies: its discs give the bodies in 3D their colors. */
const BODIES = 1;
const TEAMS = [0x4878a8, 0xb3564a, 0x5b8e5b, 0x8a6aa8];
const [BAR_EMPTY, BAR_SELECTED] = [0x5b6270, 0xe0902f];
/** Share of the height of the stage that a bar is high, and how many times it is as wide. */
export const BAR_SHARE = 0.007;
const BAR_WIDE = 9;

const spotOf = (x: number, z: number): string => `${Math.round(x * 20)} ${Math.round(z * 20)}`;

/** A body of height and radius 1, standing on the ground, with a visor to the north. */
function figure(): THREE.BufferGeometry {
  const painted = (geometry: THREE.BufferGeometry, shade: number) => {
    const count = geometry.getAttribute("position").count;
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(count * 3).fill(shade), 3));
    return geometry.toNonIndexed();
  };
  // A capsule whose proportions are those of a person; the instance scales it to size.
  const radius = 0.18;
  const capsule = new THREE.CapsuleGeometry(radius, 1 - 2 * radius, 6, 16).scale(1 / radius, 1, 1 / radius).translate(0, 0.5, 0);
  const visor = new THREE.BoxGeometry(1.15, 0.085, 0.7).translate(0, 0.86, -0.72);
  const nose = new THREE.ConeGeometry(0.28, 0.8, 8).rotateX(-Math.PI / 2).scale(1, 0.18, 1).translate(0, 0.55, -1.2);
  return mergeGeometries([painted(capsule, 1), painted(visor, 0.12), painted(nose, 0.75)]);
}

export class Crowd {
  readonly group = new THREE.Group();
  readonly bars = new Soup(4, false);
  private bodies: THREE.InstancedMesh;
  private ghosts: THREE.InstancedMesh;
  private soldiers = new Soldiers();
  private tints = new Map<string, number>();
  private place = new THREE.Matrix4();
  private turn = new THREE.Quaternion();

  constructor() {
    const shape = figure();
    const solid = new THREE.MeshLambertMaterial({ vertexColors: true });
    const faint = new THREE.MeshLambertMaterial({ color: 0xe0902f, transparent: true, opacity: 0.32, depthWrite: false });
    this.bodies = new THREE.InstancedMesh(shape, solid, BODIES_MAX);
    this.ghosts = new THREE.InstancedMesh(shape, faint, BODIES_MAX);
    this.ghosts.renderOrder = 3;
    for (const mesh of [this.bodies, this.ghosts]) { mesh.frustumCulled = false; mesh.count = 0; }
    this.bars.mesh.material.depthTest = false;
    const sun = new THREE.DirectionalLight(0xffffff, 1.9);
    sun.position.set(3, 10, 4);
    this.group.add(this.bodies, this.ghosts, this.soldiers.group, sun, new THREE.AmbientLight(0xffffff, 1.5));
    onTone(() => this.tints.clear());
  }

  /** What color who has, from the discs of the picture. */
  tint(picture: Picture): void {
    this.tints.clear();
    each(picture, "circles", ({ f, layer, color }) => { if (layer === BODIES && f[4]) this.tints.set(spotOf(f[0]!, f[2]!), color); });
  }

  /** The colors of sides, as last seen on somebody alive. */
  private teams = new Map<number, number>();

  colorOf(body: Body): number {
    const known = this.tints.get(spotOf(body.x, body.z));
    if (known !== undefined) this.teams.set(body.team, known);
    return this.tints.get(spotOf(body.x, body.z)) ?? TEAMS[body.team % TEAMS.length]!;
  }

  /** Puts everybody in place; who is looked out of is not there. Where bodies bear arms, `lying` are the dead. */
  stand(all: readonly Body[], others: readonly Body[], eyes: number | null, lying: readonly Lying[] | null): void {
    const standing = all.filter((body) => body.key !== eyes);
    const shown = lying === null ? standing.slice(0, BODIES_MAX) : [];
    const color = new THREE.Color();
    const toned = (hex: number) => color.setRGB(...(tone(hex) as [number, number, number]));
    if (lying === null) this.soldiers.clear();
    else this.soldiers.stand(standing, lying, ({ team, body }) => toned(body === undefined ? this.teams.get(team) ?? TEAMS[team % TEAMS.length]! : this.colorOf(body)));
    this.set(this.bodies, shown);
    shown.forEach((body, index) => this.bodies.setColorAt(index, color.setRGB(...(tone(this.colorOf(body)) as [number, number, number]))));
    if (this.bodies.instanceColor) this.bodies.instanceColor.needsUpdate = true;
    this.set(this.ghosts, others.slice(0, BODIES_MAX));
  }

  private set(mesh: THREE.InstancedMesh, list: readonly Body[]): void {
    const [at, size, up] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(0, 1, 0)];
    list.forEach((body, index) => {
      this.turn.setFromAxisAngle(up, body.yaw);
      mesh.setMatrixAt(index, this.place.compose(at.set(body.x, body.y, body.z), this.turn, size.set(body.radius, body.tall, body.radius)));
    });
    mesh.count = list.length;
    mesh.instanceMatrix.needsUpdate = true;
  }

  /** Bars over heads of who is hurt or selected, facing the camera, of the same size on the screen wherever they are. */
  draw(all: readonly Body[], selected: number | null, eyes: number | null, camera: THREE.Camera): void {
    this.bars.clear();
    const [right, up, forward, at] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    camera.matrixWorld.extractBasis(right, up, forward);
    const tan = camera instanceof THREE.PerspectiveCamera ? Math.tan((camera.fov * Math.PI) / 360) : 0;
    for (const body of all) {
      if (body.key === eyes || !(body.health < 0.999 || body.key === selected)) continue;
      at.set(body.x, body.y + body.tall + 0.25, body.z);
      const far = at.clone().sub(camera.position).dot(forward) * -1;
      if (far < 0.3 || far > 90) continue;
      const high = Math.max(2 * far * tan * BAR_SHARE, 0.05);
      const [wide, left] = [high * BAR_WIDE, -0.5 * high * BAR_WIDE];
      const quad = (from: number, to: number, rim: number, hex: number, alpha: number) => {
        const [r, g, b] = tone(hex);
        for (const [u, v] of [[from - rim, -rim], [to + rim, -rim], [to + rim, high + rim], [from - rim, -rim], [to + rim, high + rim], [from - rim, high + rim]] as const) {
          this.bars.corner(at.x + right.x * u + up.x * v, at.y + right.y * u + up.y * v, at.z + right.z * u + up.z * v, r, g, b, alpha);
        }
      };
      if (body.key === selected) quad(left, left + wide, high * 0.35, BAR_SELECTED, 1);
      quad(left, left + wide, 0, BAR_EMPTY, 0.85);
      quad(left, left + wide * Math.min(1, Math.max(0, body.health)), 0, this.colorOf(body), 1);
    }
    this.bars.show();
  }
}
