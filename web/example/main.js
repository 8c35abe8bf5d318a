// A scene of sentir in plain three.js: walls, bodies, and WASD for the player. No framework, no worker, one file.
import * as THREE from "three";
import init, { start } from "../pkg/sentir.js";

await init();
const session = start("patrol", 7n, ["intruder=input"]);
if ("error" in session) throw new Error(session.error);

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 500);
camera.position.set(0, 28, 26);
camera.lookAt(0, 0, 0);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xf4f2ec);
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(3, 10, 4);
scene.add(sun, new THREE.AmbientLight(0xffffff, 1.5));

// The level, once. Prisms are the last of the eight kinds: 1 float (foot), 5 words (color, layer, place, corners).
const { floats, words } = session.draw();
const [firstFoot, firstWord, count] = words.subarray(7 * 3);
for (let index = 0; index < count; index += 1) {
  const [color, , , from, corners] = words.subarray(firstWord + index * 5);
  const ring = Array.from({ length: corners }, (_, corner) => floats.subarray(from + corner * 3, from + corner * 3 + 3));
  const depth = Math.max(ring[0][1] - floats[firstFoot + index], 0.01);
  const outline = new THREE.Shape(ring.map(([x, , z]) => new THREE.Vector2(x, -z)));
  const solid = new THREE.ExtrudeGeometry(outline, { depth, bevelEnabled: false });
  const mesh = new THREE.Mesh(solid, new THREE.MeshLambertMaterial({ color: color >>> 8 }));
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.y = ring[0][1] - depth;
  scene.add(mesh);
}

// The agents: 17 numbers each; key, team, kind, x, y, z, yaw, ...
const bodies = new Map();
function body(key, team) {
  if (!bodies.has(key)) {
    const material = new THREE.MeshLambertMaterial({ color: [0x4878a8, 0xb3564a][team % 2] });
    bodies.set(key, new THREE.Mesh(new THREE.CapsuleGeometry(0.3, 1.1), material));
    scene.add(bodies.get(key));
  }
  return bodies.get(key);
}

const held = new Set();
function give() {
  const axis = (plus, minus) => Number(held.has(plus)) - Number(held.has(minus));
  session.give({ east: axis("d", "a"), north: axis("w", "s") });
}
addEventListener("keydown", ({ key, repeat }) => { if (!repeat && "wasd".includes(key)) { held.add(key); give(); } });
addEventListener("keyup", ({ key }) => { if (held.delete(key)) give(); });

let last = performance.now(), owed = 0;
renderer.setAnimationLoop((now) => {
  owed = Math.min(owed + (now - last) * 0.06, 6); // 60 ticks a second, never more than six at once
  last = now;
  session.step(Math.floor(owed));
  owed %= 1;
  const agents = session.agents();
  bodies.forEach((mesh) => { mesh.visible = false; });
  for (let at = 0; at < agents.length; at += 17) {
    const mesh = body(agents[at], agents[at + 1]);
    mesh.visible = true;
    mesh.position.set(agents[at + 3], agents[at + 4] + 0.85, agents[at + 5]);
  }
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
  renderer.render(scene, camera);
  document.getElementById("line").textContent = `tick ${session.tick}: ${session.ending ?? "WASD walks"}`;
});
