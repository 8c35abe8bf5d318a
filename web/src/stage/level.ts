// The level as meshes that stay: the draw list tells the level in every moment, but a mesh is built only when its part of it has
// changed. Parts are runs of shapes in the order of the list, so that a door that opens rebuilds a few shapes and not a town.

import * as THREE from "three";
import type { LayerAbout, Picture } from "../../pkg/sentir.js";
import { merged, piece, cone, rod } from "../character/piece.js";
import { levelMaterial, newLook } from "./material.js";
import { each, isSolid, spanOf, type Shape } from "./picture.js";
import { Solids, type Block } from "./solid.js";
import { groundHex, groundSurface, SURFACES, type Ground } from "./surface.js";
import { solidTone } from "./tone.js";

/** Shapes of a part. */
const PART_SHAPES = 48;

interface Part { hash: number; meshes: THREE.Object3D[]; blocks: Block[]; span: THREE.Box3; solid: THREE.BufferGeometry | undefined }

export class Level {
  readonly group = new THREE.Group();
  readonly look = newLook();
  readonly span = new THREE.Box3();
  blocks: Block[] = [];
  /** How often a part was built: for tests. */
  built = 0;
  private parts: Part[] = [];
  private material = levelMaterial(this.look);
  private shade = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 });
  private tree = treeShape();
  private ground: THREE.Mesh | undefined;
  private groundKind: Ground | undefined;

  clear(): void {
    for (const part of this.parts) this.drop(part);
    this.parts = [];
    this.blocks = [];
    this.span.makeEmpty();
    this.lay(undefined);
  }

  /** Takes the level of a picture in; whether anything of it is new. */
  take(picture: Picture, layers: readonly LayerAbout[], isHidden: boolean): boolean {
    const shapes: Shape[] = [];
    if (!isHidden) for (const kind of ["polygons", "prisms", "heats"] as const) each(picture, layers, kind, (shape) => { if (isSolid(shape)) shapes.push(shape); });
    shapes.sort((a, b) => a.place - b.place);
    const numbers = new Uint32Array(picture.floats.buffer, picture.floats.byteOffset, picture.floats.length);
    let isNew = false;
    const count = Math.ceil(shapes.length / PART_SHAPES);
    for (let number = 0; number < count; number += 1) {
      const own = shapes.slice(number * PART_SHAPES, (number + 1) * PART_SHAPES);
      const hash = hashOf(own, numbers);
      const old = this.parts[number];
      if (old?.hash === hash) continue;
      if (old !== undefined) this.drop(old);
      this.parts[number] = this.build(own, picture, hash, number);
      isNew = true;
    }
    for (const part of this.parts.splice(count)) { this.drop(part); isNew = true; }
    if (!isNew) return false;
    this.blocks = this.parts.flatMap(({ blocks }) => blocks);
    this.span.makeEmpty();
    for (const { span } of this.parts) if (!span.isEmpty()) this.span.union(span);
    return true;
  }

  /** The page turned dark or light: all is built anew. */
  forget(): void {
    for (const part of this.parts) part.hash = NaN;
    const kind = this.groundKind;
    this.lay(undefined);
    this.lay(kind);
  }

  private drop({ meshes }: Part): void {
    for (const mesh of meshes) {
      this.group.remove(mesh);
      if (mesh instanceof THREE.InstancedMesh) mesh.dispose(); else if (mesh instanceof THREE.Mesh) (mesh.geometry as THREE.BufferGeometry).dispose();
    }
  }

  private build(shapes: readonly Shape[], picture: Picture, hash: number, number: number): Part {
    this.built += 1;
    const solids = new Solids(picture, solidTone);
    shapes.forEach((shape) => solids.add(shape));
    const meshes: THREE.Object3D[] = [];
    const add = (mesh: THREE.Mesh, order: number): void => { mesh.renderOrder = order; meshes.push(mesh); this.group.add(mesh); };
    const [solid, shades] = [solids.geometry(), solids.shades()];
    if (solid !== undefined) {
      const mesh = new THREE.Mesh(solid, this.material);
      mesh.castShadow = mesh.receiveShadow = true;
      add(mesh, -1000 + number);
    }
    if (shades !== undefined) add(new THREE.Mesh(shades, this.shade), -1);
    if (solids.trees.length > 0) add(this.forest(solids.trees), 0);
    return { hash, meshes, blocks: solids.blocks, span: solids.span, solid };
  }

  private forest(trees: Solids["trees"]): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.tree, this.material, trees.length);
    const [r, g, b] = solidTone(0xffffff);
    const place = new THREE.Matrix4();
    trees.forEach(({ x, y, z, size }, at) => mesh.setMatrixAt(at, place.makeRotationY(x * 7 + z * 3).scale(new THREE.Vector3(size, size, size)).setPosition(x, y, z)));
    mesh.castShadow = mesh.receiveShadow = true;
    for (let at = 0; at < trees.length; at += 1) mesh.setColorAt(at, new THREE.Color(r, g, b));
    mesh.computeBoundingSphere();
    return mesh;
  }

  /** The plain ground around and under all. */
  lay(kind: Ground | undefined, extent?: THREE.Box3): void {
    if (kind === this.groundKind && this.ground !== undefined) return;
    if (this.ground !== undefined) { this.group.remove(this.ground); this.ground.geometry.dispose(); this.ground = undefined; }
    this.groundKind = kind;
    const box = extent ?? this.span;
    if (kind === undefined || box.isEmpty()) return;
    const size = box.getSize(new THREE.Vector3());
    const reach = Math.max(size.x, size.z, 20) * 2.5;
    const shape = new THREE.CircleGeometry(reach, 48).rotateX(-Math.PI / 2);
    const [color, count] = [solidTone(groundHex(kind)), shape.getAttribute("position").count];
    shape.setAttribute("color", new THREE.BufferAttribute(new Float32Array(count * 3).map((_, at) => color[at % 3]! * 0.96), 3));
    shape.setAttribute("surface", new THREE.BufferAttribute(new Float32Array(count).fill(SURFACES.indexOf(groundSurface(kind))), 1));
    const middle = box.getCenter(new THREE.Vector3());
    this.ground = new THREE.Mesh(shape, this.material);
    this.ground.position.set(middle.x, Math.min(box.min.y, 0) - 0.05, middle.z);
    this.ground.receiveShadow = true;
    this.ground.renderOrder = -2000;
    this.group.add(this.ground);
  }

  /** Where a ray first meets the level. */
  hit(ray: THREE.Ray): THREE.Vector3 | null {
    const [a, b, c, hit] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    let best: THREE.Vector3 | null = null;
    for (const { solid, span } of this.parts) {
      if (solid === undefined || !ray.intersectsBox(span)) continue;
      const places = solid.getAttribute("position");
      for (let corner = 0; corner + 2 < places.count; corner += 3) {
        a.fromBufferAttribute(places, corner);
        b.fromBufferAttribute(places, corner + 1);
        c.fromBufferAttribute(places, corner + 2);
        if (ray.intersectTriangle(a, b, c, false, hit) === null) continue;
        if (best === null || hit.distanceToSquared(ray.origin) < best.distanceToSquared(ray.origin)) best = hit.clone();
      }
    }
    return best;
  }
}

/** A number for what shapes look like: another one if anything of them changed. */
export function hashOf(shapes: readonly Shape[], numbers: Uint32Array): number {
  let hash = 0x811c9dc5;
  const mix = (value: number): void => { hash = Math.imul(hash ^ value, 0x01000193); hash ^= hash >>> 15; };
  for (const shape of shapes) {
    mix(shape.w[0]!);
    mix(shape.place);
    for (let at = 4; at < shape.w.length; at += 1) mix(shape.w[at]!);
    const own = new Uint32Array(shape.f.buffer, shape.f.byteOffset, shape.f.length);
    for (const value of own) mix(value);
    const [first, count] = spanOf(shape);
    for (let at = first; at < first + count; at += 1) mix(numbers[at]!);
  }
  return hash >>> 0;
}

/** A small conifer. */
function treeShape(): THREE.BufferGeometry {
  const shape = merged([
    piece(0, rod(0.09, 0.14, 0.8, 6), 0x6b4f36, { at: [0, 0.4, 0] }), piece(0, cone(0.85, 1.2, 7), 0x4f7f48, { at: [0, 1.15, 0] }), piece(0, cone(0.65, 1.0, 7), 0x5b8f50, { at: [0, 1.75, 0] }), piece(0, cone(0.42, 0.8, 7), 0x6a9e5a, { at: [0, 2.3, 0] }),
  ]);
  shape.deleteAttribute("mark");
  shape.setAttribute("surface", new THREE.BufferAttribute(new Float32Array(shape.getAttribute("position").count).fill(SURFACES.indexOf("forest")), 1));
  return shape;
}
