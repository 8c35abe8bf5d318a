// What the player sees of their own arms: the rifle in both hands, which sways with steps, kicks when fired, and is turned up to be
// reloaded in view; and the red at the edge from where a hit came.

import * as THREE from "three";
import type { Hud, Sign } from "../../pkg/sentir.js";

/** Where it is held, and where its muzzle is, in front of the eye, m. */
const HOLD = new THREE.Vector3(0.16, -0.19, -0.46);
const MUZZLE = new THREE.Vector3(0.17, -0.14, -0.98);
/** For how long the flash burns, a kick is felt, and a hit, s. */
const FLASH_S = 0.05, KICK_S = 0.14, HURT_S = 0.9;
/** How far the view goes up with a shot and to the side with a hit, rad. */
const RECOIL_RAD = 0.011, REEL_RAD = 0.045;
const EDGES = 4;

function part(size: [number, number, number], at: [number, number, number], color: number, tilt = 0): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), new THREE.MeshLambertMaterial({ color }));
  mesh.position.set(...at);
  mesh.rotation.x = tilt;
  return mesh;
}

function barrel(radius: number, long: number, at: [number, number, number], color: number): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, long, 12).rotateX(Math.PI / 2), new THREE.MeshLambertMaterial({ color }));
  mesh.position.set(...at);
  return mesh;
}

/** An arm: sleeve and hand, with the hand at its origin. */
function arm(turn: readonly [number, number, number]): THREE.Group {
  const group = new THREE.Group();
  const sleeve = new THREE.Mesh(new THREE.CapsuleGeometry(0.047, 0.34, 3, 10).rotateX(Math.PI / 2), new THREE.MeshLambertMaterial({ color: 0x6e5a4a }));
  sleeve.position.set(0, -0.015, 0.25);
  const cuff = barrel(0.052, 0.05, [0, -0.012, 0.075], 0x57463a);
  group.add(part([0.07, 0.06, 0.09], [0, 0, 0], 0xb98a6a), ...[-0.026, -0.009, 0.009, 0.026].map((x) => part([0.015, 0.035, 0.05], [x, 0.03, -0.03], 0xb07f60)), cuff, sleeve);
  group.rotation.set(...turn);
  return group;
}

/** How a frame feels: how fast the body goes, m/s, how far the view turned, rad, where it looks, and whether motion is to be spared. */
export interface Feel { speed: number; turned: { yaw: number; pitch: number }; heading: number; eye: THREE.Vector3; isCalm: boolean }

export class Arm {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.02, 10);
  private rifle = new THREE.Group();
  private magazine = part([0.04, 0.17, 0.07], [0, -0.11, -0.14], 0x2b3036, 0.22);
  private bolt = part([0.02, 0.02, 0.05], [0.036, 0.03, 0.02], 0x8a9097);
  private left = arm([0.45, -0.5, 0]);
  private flash: THREE.Mesh;
  private glow = new THREE.PointLight(0xffc46b, 0, 3);
  private edges = Array.from({ length: EDGES }, () => new THREE.Vector3());
  private kick = 0;
  private down = 0;
  private step = 0;
  private stride = 0;
  private sway = { x: 0, y: 0 };

  constructor() {
    const [steel, dark, wood] = [0x4a525b, 0x30363d, 0x6b5844];
    const right = arm([0.3, -0.08, 0]);
    right.position.set(0.005, -0.075, 0.11);
    this.rifle.add(
      part([0.052, 0.085, 0.4], [0, 0, 0], steel), part([0.04, 0.03, 0.36], [0, 0.055, -0.02], dark), barrel(0.014, 0.32, [0, 0.02, -0.34], dark),
      barrel(0.021, 0.07, [0, 0.02, -0.5], dark), part([0.056, 0.06, 0.2], [0, -0.005, -0.24], wood), part([0.04, 0.12, 0.055], [0, -0.09, 0.1], dark, -0.35),
      part([0.044, 0.1, 0.22], [0, -0.035, 0.27], wood, 0.06), part([0.008, 0.055, 0.008], [0, 0.055, -0.44], dark), part([0.03, 0.03, 0.02], [0, 0.08, 0.12], dark), this.magazine, this.bolt, right, this.left,
    );
    this.rifle.scale.setScalar(0.88);
    this.flash = new THREE.Mesh(flashShape(), new THREE.MeshBasicMaterial({ color: 0xffd27a, transparent: true, opacity: 0.95, side: THREE.DoubleSide, depthWrite: false }));
    this.flash.position.set(0, 0.02, -0.57);
    this.rifle.add(this.flash);
    const sun = new THREE.DirectionalLight(0xfff4e2, 2.2);
    sun.position.set(-1.5, 4, 2.5);
    this.glow.position.set(0.16, -0.1, -0.9);
    this.scene.add(this.rifle, sun, new THREE.HemisphereLight(0xe6eef6, 0x77706a, 1.7), this.glow, edge(this.edges));
  }

  resize(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Where shots seem to leave, in the world of the camera that looks. */
  muzzle(camera: THREE.Camera): THREE.Vector3 { return MUZZLE.clone().applyMatrix4(camera.matrixWorld); }

  /** How the view is shaken by what the own body does and feels, rad. */
  shake(hud: Hud, heading: number, eye: THREE.Vector3): { pitch: number; roll: number } {
    const fired = hud.fired_s ?? 9;
    const recoil = fired < KICK_S ? RECOIL_RAD * (1 - fired / KICK_S) : 0;
    const hurt = hud.hurts[0];
    const felt = hurt === undefined ? 0 : Math.max(0, 1 - hurt.age_s / 0.35);
    const from = hurt === undefined ? 0 : bearing(hurt, heading, eye);
    return { pitch: recoil + felt * felt * REEL_RAD * 0.5 * Math.cos(from), roll: felt * felt * REEL_RAD * Math.sin(from) };
  }

  /** A frame. */
  pose(hud: Hud, { speed, turned, heading, eye, isCalm }: Feel, seconds: number): void {
    const near = (from: number, to: number, rate: number) => from + (to - from) * (1 - Math.exp(-rate * seconds));
    const fired = hud.fired_s ?? 9;
    this.kick = near(this.kick, fired < KICK_S ? 1 - fired / KICK_S : 0, 45);
    const reload = hud.reload ?? 0;
    this.down = near(this.down, hud.reload === null ? 0 : Math.min(1, Math.min(reload, 1 - reload) * 5), 14);
    this.stride = near(this.stride, Math.min(1, speed / 4), 8);
    this.step += speed * seconds * 2.1;
    this.sway.x = near(this.sway.x, Math.max(-0.05, Math.min(0.05, turned.yaw * 0.6)), 12);
    this.sway.y = near(this.sway.y, Math.max(-0.05, Math.min(0.05, turned.pitch * 0.6)), 12);
    const bob = isCalm ? 0 : this.stride;
    // While it is reloaded it is turned so that the magazine is seen, and not hidden.
    this.rifle.position.set(
      HOLD.x + Math.sin(this.step) * 0.011 * bob + this.sway.x - this.down * 0.03, HOLD.y - Math.abs(Math.cos(this.step)) * 0.012 * bob + this.down * 0.035 - this.sway.y * 0.6, HOLD.z + this.kick * 0.055 - this.down * 0.04);
    this.rifle.rotation.set(this.kick * 0.07 + this.down * 0.16 + this.sway.y, this.sway.x * 0.9 + this.down * 0.3, -this.down * 0.5);
    this.change(hud.reload, reload);
    this.flash.visible = fired < FLASH_S && hud.reload === null;
    this.glow.intensity = this.flash.visible ? 1.6 : 0;
    this.flash.rotation.z = (hud.shots * 2.4) % 6.28;
    this.flash.scale.setScalar(0.8 + ((hud.shots * 7) % 5) * 0.1);
    this.edges.forEach((it, index) => {
      const hurt = hud.hurts[index];
      const felt = hurt === undefined ? 0 : Math.max(0, 1 - hurt.age_s / HURT_S);
      const from = hurt === undefined ? 0 : bearing(hurt, heading, eye);
      it.set(-Math.sin(from), Math.cos(from), felt * Math.min(1, 0.45 + (hurt?.amount ?? 0) * 0.02));
    });
  }

  /** The magazine goes out, the hand fetches another one, pushes it in, pulls the bolt. */
  private change(state: number | null, share: number): void {
    const out = (from: number, to: number) => Math.min(1, Math.max(0, (share - from) / (to - from)));
    const away = state === null ? 0 : out(0.15, 0.35) - out(0.5, 0.68);
    this.magazine.position.set(-0.05 * away, -0.11 - 0.24 * away, -0.14 + 0.05 * away);
    this.magazine.visible = !(state !== null && share > 0.36 && share < 0.48);
    this.bolt.position.z = 0.02 + 0.07 * (state === null ? 0 : Math.sin(Math.PI * out(0.78, 0.94)));
    const toMagazine = state === null ? 0 : out(0.05, 0.15) - out(0.72, 0.8);
    const toBolt = state === null ? 0 : out(0.72, 0.8) - out(0.92, 1);
    this.left.position.set(-0.012 + 0.06 * toBolt - 0.05 * away, -0.045 - 0.1 * toMagazine - 0.24 * away + 0.07 * toBolt, -0.23 + 0.1 * toMagazine + 0.23 * toBolt);
  }
}

/** Where something came from, seen from where one looks: 0 ahead, positive to the left, rad. */
function bearing({ from }: Sign, heading: number, eye: THREE.Vector3): number {
  return Math.atan2(-(from[0] - eye.x), -(from[2] - eye.z)) - heading;
}

/** Red that grows from the edge of the view, on the side that a hit came from: up is ahead. */
function edge(edges: readonly THREE.Vector3[]): THREE.Mesh {
  const material = new THREE.ShaderMaterial({
    uniforms: { edges: { value: edges } }, transparent: true, depthTest: false, depthWrite: false,
    vertexShader: "varying vec2 at; void main() { at = position.xy; gl_Position = vec4(position.xy, 0.0, 1.0); }",
    fragmentShader: `varying vec2 at; uniform vec3 edges[${EDGES}];
      void main() {
        float red = 0.0;
        float far = length(at);
        for (int i = 0; i < ${EDGES}; i += 1) {
          float to = dot(at / max(far, 1e-3), edges[i].xy);
          red += edges[i].z * smoothstep(0.55, 1.25, far) * smoothstep(0.1, 0.95, to);
        }
        if (red < 0.003) discard;
        gl_FragColor = vec4(0.75, 0.04, 0.03, min(red, 0.85));
      }`,
  });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = 10;
  return mesh;
}

/** A star, so that it is seen from any side. */
function flashShape(): THREE.BufferGeometry {
  const star = new THREE.Shape();
  for (let corner = 0; corner < 14; corner += 1) {
    const [far, angle] = [corner % 2 === 0 ? 0.085 : 0.03, (corner / 14) * 2 * Math.PI];
    if (corner === 0) star.moveTo(far, 0); else star.lineTo(far * Math.cos(angle), far * Math.sin(angle));
  }
  return new THREE.ShapeGeometry(star);
}
