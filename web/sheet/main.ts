// The model sheet as a page, and the measure of what a crowd costs: open it with ?rows=soldier,spy, or call `measure()`.

import * as THREE from "three";
import { COLUMNS, Crowd, field, GAP_M, MODEL_NAMES, row } from "../src/character/sheet.js";
import type { ModelName } from "../src/character/model.js";

/** Frames before counting begins: programs are made in the first ones. */
const WARM = 6;

const canvas = document.getElementById("view") as HTMLCanvasElement;
const words = new URLSearchParams(location.search);
const names = (words.get("rows")?.split(",") ?? MODEL_NAMES) as ModelName[];
const sides = [new THREE.Color(0x3f78c0), new THREE.Color(0xc24a3e)];
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
renderer.shadowMap.enabled = true;
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe5ea);
const sun = new THREE.DirectionalLight(0xfff4e2, 2.4);
sun.position.set(-6, 14, 8);
sun.castShadow = true;
scene.add(sun, sun.target, new THREE.HemisphereLight(0xdfeaf5, 0x8d8577, 1.5));
const crowd = new Crowd();
scene.add(crowd.group);

function sheet(): void {
  const [wide, deep] = [COLUMNS.length * GAP_M, names.length * 4.6];
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(400, 400).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial({ color: 0xc9cfc4 }));
  ground.receiveShadow = true;
  scene.add(ground);
  sun.position.set(wide / 2 - 8, 24, deep / 2 + 12);
  sun.target.position.set(wide / 2, 0, deep / 2);
  Object.assign(sun.shadow.camera, { left: -wide, right: wide, top: deep, bottom: -deep, far: 90 });
  sun.shadow.mapSize.set(2048, 2048);
  const scale = Number(words.get("px") ?? 70);
  const [width, height] = [wide * scale, (deep + 1.2) * scale * 0.5];
  renderer.setSize(width, height);
  const camera = new THREE.OrthographicCamera(-wide / 2, wide / 2, (deep + 1.2) * 0.25, -(deep + 1.2) * 0.25, 0.1, 300);
  camera.position.set(wide / 2 - GAP_M / 2, 28, deep / 2 + 60);
  camera.lookAt(wide / 2 - GAP_M / 2, 0.6, deep / 2 - 1.2);
  const step = (share: number, seconds: number) => crowd.stand(names.flatMap((name, at) => row(name, at * 4.6, sides[at % 2]!, share, at * 100)), seconds);
  step(0.02, 0);
  for (let frame = 0; frame < 40; frame += 1) step(0.45, 1 / 60);
  renderer.render(scene, camera);
  const put = (text: string, x: number, z: number) => {
    const at = new THREE.Vector3(x, 0, z).project(camera);
    const span = document.body.appendChild(document.createElement("span"));
    span.textContent = text;
    Object.assign(span.style, { left: `${(at.x * 0.5 + 0.5) * width}px`, top: `${(-at.y * 0.5 + 0.5) * height + 4}px` });
  };
  names.forEach((name, at) => COLUMNS.forEach(({ title }, column) => put(column === 0 ? name : title, column * GAP_M, at * 4.6 + 0.4)));
}

/** Main-thread milliseconds of a frame, median: making the poses and giving the draw calls, without waiting for the graphics card. */
async function measure(count: number, frames: number, isAnimated: boolean): Promise<{ poses_ms: number; frame_ms: number }> {
  renderer.setSize(64, 64);
  sun.shadow.mapSize.set(64, 64);
  const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 200);
  camera.position.set(20, 30, 70);
  camera.lookAt(20, 0, 20);
  crowd.isAnimated = isAnimated;
  const [poses, all]: [number[], number[]] = [[], []];
  for (let frame = -WARM; frame < frames; frame += 1) {
    const actors = field(count, isAnimated ? frame / 60 : 0, sides);
    const begin = performance.now();
    // Bodies that stand still cost their upload and nothing else.
    if (isAnimated || frame === -WARM) crowd.stand(actors, 1 / 60);
    const posed = performance.now();
    renderer.render(scene, camera);
    const end = performance.now();
    if (frame >= 0) { poses.push(posed - begin); all.push(end - begin); }
    // The graphics card catches up before the next one, as it does on a page that is looked at.
    renderer.getContext().finish();
    await new Promise(requestAnimationFrame);
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return { poses_ms: median(poses), frame_ms: median(all) };
}

Object.assign(window, { measure });
if (words.has("measure")) document.title = "ready"; else { sheet(); document.title = "shown"; }
