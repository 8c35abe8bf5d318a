// Everybody that is seen: for each model one mesh, drawn once for all of its kind. The matrices of their bones lie in a small
// picture that the graphics card reads, one row a body: what a frame costs is poses and one upload, not draw calls.

import * as THREE from "three";
import { MODELS } from "./catalog.js";
import { sizeOf, type Model, type ModelName } from "./model.js";
import { advance, newMotion, turnBetween, type Motion, type Report } from "./motion.js";
import { compose, MATRIX_STRIDE, rest, restPose } from "./rig.js";

/** Texels of a row beside the bones': color and glow. */
const OWN_TEXELS = 1;
const ROWS_MIN = 16, ROWS_MAX = 4096;
/** How long somebody takes to fall, s. */
const FALL_S = 0.75;

/** Somebody to be shown. */
export interface Actor extends Report {
  x: number; y: number; z: number; radius: number; stands: number; model: ModelName; color: THREE.Color;
  /** For how long it has been dead, s; null for the living. */
  dead: number | null;
}

const HEAD = `
attribute vec2 mark;
uniform highp sampler2D bones;
vec4 boneRow(int row) { return texelFetch(bones, ivec2(int(mark.x + 0.5) * 3 + row, gl_InstanceID), 0); }`;
const BENT = "transformed = vec3(dot(boneRow(0), vec4(position, 1.0)), dot(boneRow(1), vec4(position, 1.0)), dot(boneRow(2), vec4(position, 1.0)));";
const NORMAL = "objectNormal = normalize(vec3(dot(boneRow(0).xyz, normal), dot(boneRow(1).xyz, normal), dot(boneRow(2).xyz, normal)));";

/** Lets a material bend with the bones; `own` is the texel after them. */
function bends(material: THREE.Material, bones: { value: THREE.DataTexture }, own: number): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.bones = bones;
    shader.vertexShader = shader.vertexShader.replace("#include <common>", `#include <common>${HEAD}`)
      .replace("#include <beginnormal_vertex>", `#include <beginnormal_vertex>\n${NORMAL}`).replace("#include <begin_vertex>", `#include <begin_vertex>\n${BENT}`)
      .replace("#include <color_vertex>", `#include <color_vertex>
        #ifdef USE_COLOR
        vec4 own = texelFetch(bones, ivec2(${own}, gl_InstanceID), 0);
        vColor.rgb = mix(vColor.rgb, vColor.rgb * own.rgb, mark.y);
        vColor.rgb = own.a >= 0.0 ? mix(vColor.rgb, vec3(1.0, 0.86, 0.78), own.a) : mix(vColor.rgb, vec3(0.16, 0.06, 0.05), -own.a);
        #endif`);
  };
  // Programs are told apart by their texts; this one has the number in it.
  material.customProgramCacheKey = () => `bent ${own}`;
}

/** All of one model. */
class Cast {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.Material>;
  readonly stride: number;
  rows: Float32Array;
  count = 0;
  private capacity = ROWS_MIN;
  private bones: { value: THREE.DataTexture };
  private pose: Float32Array;

  constructor(readonly model: Model, material: THREE.Material) {
    this.stride = model.bones.length * MATRIX_STRIDE + OWN_TEXELS * 4;
    this.rows = new Float32Array(this.stride * this.capacity);
    this.bones = { value: this.picture() };
    this.pose = restPose(model.bones.length);
    const geometry = new THREE.InstancedBufferGeometry();
    const solids = model.geometry();
    for (const name of ["position", "normal", "color", "mark"]) geometry.setAttribute(name, solids.getAttribute(name));
    geometry.instanceCount = 0;
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    bends(material, this.bones, model.bones.length * 3);
    const depth = new THREE.MeshDepthMaterial();
    bends(depth, this.bones, model.bones.length * 3);
    this.mesh.customDepthMaterial = depth;
  }

  private picture(): THREE.DataTexture {
    const texture = new THREE.DataTexture(this.rows, this.stride / 4, this.capacity, THREE.RGBAFormat, THREE.FloatType);
    texture.needsUpdate = true;
    return texture;
  }

  private grow(): boolean {
    if (this.capacity >= ROWS_MAX) return false;
    this.capacity *= 2;
    const rows = new Float32Array(this.stride * this.capacity);
    rows.set(this.rows);
    this.rows = rows;
    this.bones.value.dispose();
    this.bones.value = this.picture();
    return true;
  }

  begin(): void { this.count = 0; }

  add(actor: Actor, motion: Motion, size: number): void {
    if (this.count >= this.capacity && !this.grow()) return;
    const { model, pose } = this;
    rest(pose);
    model.pose(pose, motion);
    const at = this.count * this.stride;
    compose(model.bones, pose, { x: actor.x, y: actor.y, z: actor.z, yaw: actor.yaw, scale: size }, this.rows, at);
    const own = at + model.bones.length * MATRIX_STRIDE;
    actor.color.toArray(this.rows, own);
    // Who is badly hurt or dead is darker; who was just hit is pale for a moment.
    this.rows[own + 3] = actor.dead !== null ? -0.45 : motion.flinch > 0.05 ? motion.flinch * 0.6 : -0.4 * Math.max(0, 0.7 - actor.health);
    this.count += 1;
  }

  show(): void {
    this.mesh.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    this.bones.value.needsUpdate = this.count > 0;
  }
}

interface Kept { motion: Motion; yaw: number; size: number; model: ModelName; isSeen: boolean }

export class Crowd {
  readonly group = new THREE.Group();
  private casts = new Map<ModelName, Cast>();
  private kept = new Map<number, Kept>();
  private blobs: THREE.InstancedMesh;
  private place = new THREE.Matrix4();
  /** Poses move; for measuring what they cost. */
  isAnimated = true;

  /** Faint ones are those of another run: see-through, in one color, without shadow. */
  constructor(private isFaint = false) {
    this.blobs = new THREE.InstancedMesh(blobShape(), new THREE.MeshBasicMaterial({ color: 0x000000, vertexColors: true, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }), ROWS_MAX);
    this.blobs.frustumCulled = false;
    this.blobs.count = 0;
    this.blobs.renderOrder = 3;
    if (!isFaint) this.group.add(this.blobs);
  }

  private cast(name: ModelName): Cast {
    let cast = this.casts.get(name);
    if (cast === undefined) {
      const material = this.isFaint ? new THREE.MeshLambertMaterial({ color: 0xe0902f, transparent: true, opacity: 0.38, depthWrite: false }) : new THREE.MeshLambertMaterial({ vertexColors: true });
      this.casts.set(name, cast = new Cast(MODELS[name], material));
      if (this.isFaint) { cast.mesh.castShadow = cast.mesh.receiveShadow = false; cast.mesh.renderOrder = 3; }
      this.group.add(cast.mesh);
    }
    return cast;
  }

  /** Another scene: nobody is known. */
  clear(): void {
    this.kept.clear();
    this.stand([], 0);
  }

  /** Puts everybody in place after `seconds` of the world. */
  stand(all: readonly Actor[], seconds: number): void {
    for (const cast of this.casts.values()) cast.begin();
    for (const kept of this.kept.values()) kept.isSeen = false;
    let blobs = 0;
    for (const actor of all) {
      const cast = this.cast(actor.model);
      const kept = this.moved(actor, cast.model, seconds);
      cast.add(actor, kept.motion, kept.size);
      if (blobs < ROWS_MAX && actor.dead === null && !this.isFaint) {
        const wide = Math.max(actor.radius, 0.3) * 1.5;
        this.place.makeScale(wide, 1, wide).setPosition(actor.x, actor.y + 0.03, actor.z);
        this.blobs.setMatrixAt(blobs, this.place);
        blobs += 1;
      }
    }
    this.blobs.count = blobs;
    this.blobs.instanceMatrix.needsUpdate = true;
    for (const [key, kept] of this.kept) if (!kept.isSeen) this.kept.delete(key);
    for (const cast of this.casts.values()) cast.show();
  }

  private moved(actor: Actor, model: Model, seconds: number): Kept {
    let kept = this.kept.get(actor.key);
    if (kept === undefined || kept.model !== actor.model) {
      // The dead tell no size: they lie as big as their model.
      kept = { motion: newMotion(actor), yaw: actor.yaw, size: actor.dead === null ? sizeOf(model, actor) : 1, model: actor.model, isSeen: true };
      this.kept.set(actor.key, kept);
    } else if (this.isAnimated && actor.dead === null) {
      advance(kept.motion, actor, seconds, kept.size, turnBetween(kept.yaw, actor.yaw));
    }
    kept.isSeen = true;
    kept.yaw = actor.yaw;
    kept.motion.fall = actor.dead === null || !model.falls ? 0 : Math.min(1, actor.dead / FALL_S);
    if (actor.dead !== null) kept.motion.ahead = kept.motion.aside = kept.motion.flinch = 0;
    return kept;
  }

  /** How high over its feet somebody's model ends, m. */
  highOf(key: number, model: ModelName): number | undefined {
    const kept = this.kept.get(key);
    return kept === undefined ? undefined : MODELS[model].high * kept.size;
  }
}

/** A soft round shade: dark in the middle, nothing at the rim. */
function blobShape(): THREE.BufferGeometry {
  const shape = new THREE.CircleGeometry(1, 18).rotateX(-Math.PI / 2);
  const count = shape.getAttribute("position").count;
  const colors = new Float32Array(count * 4);
  for (let corner = 0; corner < count; corner += 1) colors[corner * 4 + 3] = corner === 0 ? 0.42 : 0;
  shape.setAttribute("color", new THREE.BufferAttribute(colors, 4));
  return shape;
}
