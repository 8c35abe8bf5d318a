// A yard of your own, two guards with a brain file, and a runner whom the page moves: they see it, chase it and lose it.
import init, { World } from "sentir";

const LEVEL = `
name: yard
solids:
  - slab: { outline: [[-15, -10], [15, -10], [15, 10], [-15, 10]], thickness_m: 0.5 }
  - wall: { along: [[-15, -10], [15, -10], [15, 10], [-15, 10]], is_closed: true, height_m: 3 }
  - box: { at: [0, 0], size: [12, 1], height_m: 3 }
  - box: { at: [11, 5], size: [1, 6], height_m: 3 }
`;
const GUARD = `
sentir: tree 1
keys: {enemy: place, enemy_age_s: float}
trees:
  guard:
    selector:
      - when: {key: $enemy_age_s, "<": 3}
        aborts: both
        do: {task: go, name: chase, with: {to: $enemy, look: $enemy, pace_m_per_s: 3, arrive_m: 1}}
      - when: {key: $enemy_age_s, "<": 6}
        aborts: both
        do: {task: look_around, name: search, with: {for_s: 3}}
      - {task: patrol, with: {places: [[-12, 0, 6], [8, 0, 6]]}}
`;
await init();
export const world = new World({ seed: 7, level: LEVEL, brains: { guard: GUARD } });
export const bodies = new Map(); // yours: positions by key
export const log = [];
function add(key, position, more) {
  bodies.set(key, { position, yaw: 0 });
  world.add({ key, position, ...more });
}
add(1, [-12, 0, 6], { team: 1, brain: "guard" });
add(2, [8, 0, 6], { team: 1, brain: "guard" });
add(3, [-8, 0, 2], { team: 2 }); // the runner
const way = [[9, 0, 2], [9, 0, -5], [13, 0, -8], [13, 0, -3]]; // round the corner, behind the wall

/** One sixtieth of a second: the page moves every body, the runner by its own rule. */
export function tick() {
  world.step();
  for (const { key, name } of world.events()) if (["noticed", "lost"].includes(name)) log.push({ tick: world.tick, key, name });
  for (const [key, body] of bodies) {
    const [x, y, z] = body.position;
    const to = way[0] ?? body.position;
    const far = Math.hypot(to[0] - x, to[2] - z);
    if (key === 3 && far < 0.1) way.shift();
    const { velocity, yaw } = key === 3 ? { velocity: far > 0 ? [(to[0] - x) / far * 4, 0, (to[2] - z) / far * 4] : [0, 0, 0], yaw: 0 } : world.motion(key);
    body.position = [x + velocity[0] / 60, y, z + velocity[2] / 60];
    body.yaw = yaw;
    world.observe(key, body);
  }
}
