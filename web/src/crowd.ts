// Bodies in 3D, those of the other run beside them, and bars of health.

import * as THREE from "three";
import type { KindLook, Model, Picture } from "../pkg/sentir.js";
import type { Body } from "./agent.js";
import { FIGURES, type Figure } from "./figure.js";
import { Soldiers, type Lying } from "./soldier.js";
import { Soup } from "./soup.js";
import { onTone, tone } from "./tone.js";

const BODIES_MAX = 2048;
const TEAMS = [0x4878a8, 0xb3564a, 0x5b8e5b, 0x8a6aa8];
const [BAR_EMPTY, BAR_SELECTED] = [0x5b6270, 0xe0902f];
/** Share of the height of the stage that a bar is high, and how many times it is as wide. */
export const BAR_SHARE = 0.007;
const BAR_WIDE = 9;

/** The figure that stands for a model here; a soldier has one of its own. */
const FIGURE_OF: Partial<Record<Model, Figure | "soldier">> = {
  soldier: "soldier", player: "soldier", sheep: "animal", dog: "animal", fox: "animal", rabbit: "animal", fish: "fish", shark: "fish", bird: "fish",
  car: "vehicle", turret: "vehicle", tank: "vehicle", plane: "craft", missile: "craft", ball: "ball",
};

export class Crowd {
  readonly group = new THREE.Group();
  readonly bars = new Soup(4, false);
  private bodies: Record<Figure, THREE.InstancedMesh>;
  private ghosts: THREE.InstancedMesh;
  private soldiers = new Soldiers();
  /** Colors by key. */
  private tints = new Map<number, number>();
  private place = new THREE.Matrix4();
  private turn = new THREE.Quaternion();

  constructor() {
    const solid = new THREE.MeshLambertMaterial({ vertexColors: true });
    const faint = new THREE.MeshLambertMaterial({ color: 0xe0902f, transparent: true, opacity: 0.32, depthWrite: false });
    const made = (figure: Figure, material: THREE.Material) => {
      const mesh = new THREE.InstancedMesh(FIGURES[figure].geometry(), material, BODIES_MAX);
      mesh.frustumCulled = false;
      mesh.count = 0;
      this.group.add(mesh);
      return mesh;
    };
    this.bodies = Object.fromEntries((Object.keys(FIGURES) as Figure[]).map((figure) => [figure, made(figure, solid)])) as Record<Figure, THREE.InstancedMesh>;
    this.ghosts = made("person", faint);
    this.ghosts.renderOrder = 3;
    this.bars.mesh.material.depthTest = false;
    const sun = new THREE.DirectionalLight(0xffffff, 1.9);
    sun.position.set(3, 10, 4);
    this.group.add(this.soldiers.group, sun, new THREE.AmbientLight(0xffffff, 1.5));
    onTone(() => this.tints.clear());
  }

  /** What color who has in the picture; of one drawn twice, as beside a twin, the first counts. */
  tint({ colors }: Picture): void {
    this.tints.clear();
    for (let at = 0; at + 1 < colors.length; at += 2) if (!this.tints.has(colors[at]!)) this.tints.set(colors[at]!, colors[at + 1]!);
  }

  colorOf({ key, team }: { key: number; team: number }): number {
    return this.tints.get(key) ?? TEAMS[team % TEAMS.length]!;
  }

  /** Puts everybody in place, each as its kind looks; `lying` are the dead. */
  stand(all: readonly Body[], others: readonly Body[], lying: readonly Lying[], kinds: readonly KindLook[]): void {
    const color = new THREE.Color();
    const toned = (it: { key: number; team: number }) => color.setRGB(...(tone(this.colorOf(it)) as [number, number, number]));
    const shapeOf = ({ kind }: Body): Figure | "soldier" => FIGURE_OF[kinds.findLast((look) => look.kind <= kind)?.model ?? "person"] ?? "person";
    const soldiers = all.filter((body) => shapeOf(body) === "soldier");
    if (soldiers.length + lying.length === 0) this.soldiers.clear(); else this.soldiers.stand(soldiers, lying, toned);
    for (const figure of Object.keys(this.bodies) as Figure[]) {
      const mesh = this.bodies[figure];
      const shown = all.filter((body) => shapeOf(body) === figure).slice(0, BODIES_MAX);
      this.set(mesh, figure, shown);
      shown.forEach((body, index) => mesh.setColorAt(index, toned(body)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.set(this.ghosts, "person", others.slice(0, BODIES_MAX));
  }

  private set(mesh: THREE.InstancedMesh, figure: Figure, list: readonly Body[]): void {
    const { isTall } = FIGURES[figure];
    const [at, size, up] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(0, 1, 0)];
    list.forEach((body, index) => {
      this.turn.setFromAxisAngle(up, body.yaw);
      mesh.setMatrixAt(index, this.place.compose(at.set(body.x, body.y, body.z), this.turn, size.set(body.radius, isTall ? body.tall : body.radius, body.radius)));
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
