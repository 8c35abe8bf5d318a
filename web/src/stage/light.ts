// Sun, sky and haze of the stage; shadows where the machine can afford them.

import * as THREE from "three";
import { isDark } from "./tone.js";

/** Toward the sun. */
const TO_SUN = new THREE.Vector3(-0.42, 0.82, 0.4).normalize();
/** The shadow map covers at most so much around what is looked at, m, with so many texels a side. */
const SHADOW_M_MAX = 70, SHADOW_PX = 2048;
const SKY = { light: 0xcfdde8, dark: 0x1a212b }, EARTH = { light: 0xb5ada0, dark: 0x3a3a40 };

export class Light {
  readonly group = new THREE.Group();
  readonly fog = new THREE.Fog(SKY.light, 60, 400);
  readonly sky = new THREE.Color(SKY.light);
  private sun = new THREE.DirectionalLight(0xfff2dc, 2.3);
  private hemisphere = new THREE.HemisphereLight(0xe3edf6, EARTH.light, 1.55);

  constructor() {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_PX, SHADOW_PX);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.04;
    this.sun.shadow.radius = 3;
    this.group.add(this.sun, this.sun.target, this.hemisphere);
    this.tone();
  }

  /** The page is dark or light. */
  tone(): void {
    const dark = isDark();
    this.sky.setHex(dark ? SKY.dark : SKY.light);
    this.fog.color.copy(this.sky);
    this.sun.color.setHex(dark ? 0xdfe6ff : 0xfff2dc);
    this.sun.intensity = dark ? 2.2 : 2.3;
    this.hemisphere.color.setHex(dark ? 0xb9c6de : 0xe3edf6);
    this.hemisphere.groundColor.setHex(dark ? EARTH.dark : EARTH.light);
    this.hemisphere.intensity = dark ? 2.2 : 1.65;
  }

  get hasShadows(): boolean { return this.sun.castShadow; }
  set hasShadows(on: boolean) { this.sun.castShadow = on; }

  /** Aims the shadows at what is looked at; all of the level if it is small. `reach` is how far one sees around the middle, m. */
  aim(extent: THREE.Box3, middle: THREE.Vector3, reach: number): void {
    const size = extent.isEmpty() ? new THREE.Vector3(40, 4, 40) : extent.getSize(new THREE.Vector3());
    const whole = Math.hypot(size.x, size.z) / 2 + 3;
    const half = Math.min(whole, SHADOW_M_MAX, Math.max(18, reach));
    const at = half === whole && !extent.isEmpty() ? extent.getCenter(new THREE.Vector3()) : middle.clone();
    // In whole texels, or the edges of shadows crawl as the camera moves.
    const texel = (2 * half) / SHADOW_PX;
    at.set(Math.round(at.x / texel) * texel, at.y, Math.round(at.z / texel) * texel);
    const away = half * 2 + size.y + 20;
    this.sun.target.position.copy(at);
    this.sun.position.copy(at).addScaledVector(TO_SUN, away);
    const camera = this.sun.shadow.camera;
    if (camera.right !== half || camera.far !== away * 2) {
      Object.assign(camera, { left: -half, right: half, top: half, bottom: -half, near: 1, far: away * 2 });
      camera.updateProjectionMatrix();
    }
  }

  /** How far one sees clearly, m. */
  haze(near: number, far: number): void {
    [this.fog.near, this.fog.far] = [near, far];
  }
}
