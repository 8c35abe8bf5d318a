// The rifle in the hands of who plays: it sways with steps, kicks when fired, goes down while it is reloaded.

import * as THREE from "three";
import type { Hud } from "../../pkg/sentir.js";

/** Where it is held, and where its muzzle is, in front of the eye, m. */
const HOLD = new THREE.Vector3(0.16, -0.19, -0.46);
const MUZZLE = new THREE.Vector3(0.17, -0.14, -0.98);
/** For how long the flash burns, and a kick is felt, s. */
const FLASH_S = 0.05, KICK_S = 0.14;

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

export class Arm {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.02, 10);
  private rifle = new THREE.Group();
  private magazine = part([0.04, 0.17, 0.07], [0, -0.11, -0.14], 0x2b3036, 0.22);
  private flash: THREE.Mesh;
  private kick = 0;
  private down = 0;
  private step = 0;
  private stride = 0;
  private sway = { x: 0, y: 0 };

  constructor() {
    const [steel, dark, wood, sleeve, skin] = [0x4a525b, 0x30363d, 0x6b5844, 0x6e5a4a, 0xb98a6a];
    this.rifle.add(
      part([0.052, 0.085, 0.4], [0, 0, 0], steel), part([0.04, 0.03, 0.36], [0, 0.055, -0.02], dark), barrel(0.014, 0.32, [0, 0.02, -0.34], dark),
      barrel(0.021, 0.07, [0, 0.02, -0.5], dark), part([0.056, 0.06, 0.2], [0, -0.005, -0.24], wood), part([0.04, 0.12, 0.055], [0, -0.09, 0.1], dark, -0.35),
      part([0.044, 0.1, 0.22], [0, -0.035, 0.27], wood, 0.06), part([0.008, 0.055, 0.008], [0, 0.055, -0.44], dark), part([0.03, 0.03, 0.02], [0, 0.08, 0.12], dark), this.magazine,
      // Hands and sleeves.
      part([0.075, 0.075, 0.085], [0.005, -0.075, 0.11], skin), part([0.1, 0.1, 0.34], [0.035, -0.15, 0.3], sleeve, 0.34),
      part([0.08, 0.07, 0.1], [-0.012, -0.045, -0.23], skin), part([0.095, 0.095, 0.42], [-0.1, -0.15, -0.02], sleeve, 0.4),
    );
    this.rifle.children.at(-1)!.rotation.y = -0.45;
    this.rifle.scale.setScalar(0.88);
    this.flash = new THREE.Mesh(flashShape(), new THREE.MeshBasicMaterial({ color: 0xffd27a, transparent: true, opacity: 0.95, side: THREE.DoubleSide, depthWrite: false }));
    this.flash.position.set(0, 0.02, -0.57);
    this.rifle.add(this.flash);
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(-1.5, 4, 2.5);
    this.scene.add(this.rifle, sun, new THREE.AmbientLight(0xffffff, 1.35));
  }

  resize(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Where shots seem to leave, in the world of the camera that looks. */
  muzzle(camera: THREE.Camera): THREE.Vector3 { return MUZZLE.clone().applyMatrix4(camera.matrixWorld); }

  /** A frame: `speed` of the body, m/s; how far the view turned, rad. */
  pose(hud: Hud, speed: number, turned: { yaw: number; pitch: number }, seconds: number, isCalm: boolean): void {
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
    this.rifle.position.set(
      HOLD.x + Math.sin(this.step) * 0.011 * bob + this.sway.x, HOLD.y - Math.abs(Math.cos(this.step)) * 0.012 * bob - this.down * 0.17 - this.sway.y * 0.6, HOLD.z + this.kick * 0.055);
    this.rifle.rotation.set(this.kick * 0.07 - this.down * 0.55 + this.sway.y, this.sway.x * 0.9 + this.down * 0.35, this.down * 0.3);
    this.magazine.position.y = -0.11 - (hud.reload === null ? 0 : Math.max(0, Math.sin(reload * Math.PI)) * 0.16);
    this.flash.visible = fired < FLASH_S && hud.reload === null;
    this.flash.rotation.z = (hud.shots * 2.4) % 6.28;
    this.flash.scale.setScalar(0.8 + ((hud.shots * 7) % 5) * 0.1);
  }
}

/** A star of two crossed stars, so that it is seen from any side. */
function flashShape(): THREE.BufferGeometry {
  const star = new THREE.Shape();
  for (let corner = 0; corner < 14; corner += 1) {
    const [far, angle] = [corner % 2 === 0 ? 0.085 : 0.03, (corner / 14) * 2 * Math.PI];
    if (corner === 0) star.moveTo(far, 0); else star.lineTo(far * Math.cos(angle), far * Math.sin(angle));
  }
  return new THREE.ShapeGeometry(star);
}
