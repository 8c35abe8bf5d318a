// The array of agents of the package: 17 numbers each.

/** Numbers of one agent. */
export const AGENT_STRIDE = 17;
/** How tall somebody is who does not say how high the eyes are, m. */
const TALL_M = 1.7;

/** One agent, read out. Places in meters, yaw in radians: 0 faces north (−z), positive turns left. */
export interface Body {
  key: number; team: number; kind: number; x: number; y: number; z: number; yaw: number; radius: number; eye: number; health: number;
  crouched: boolean; tall: number;
}

function bodyAt(agents: Float64Array, at: number): Body {
  const [key, team, kind, x, y, z, yaw, radius, eye, health, crouched] = agents.subarray(at, at + AGENT_STRIDE) as unknown as number[];
  const isCrouched = crouched === 1;
  const high = eye! > 0.2 ? eye! : TALL_M * (isCrouched ? 0.6 : 0.95);
  return {
    key: key!, team: team!, kind: kind!, x: x!, y: y!, z: z!, yaw: yaw!, radius: radius!, eye: high, health: health!, crouched: isCrouched,
    tall: Math.max(high + 0.1, 2.2 * radius!),
  };
}

/** Everybody. */
export function bodies(agents: Float64Array): Body[] {
  return Array.from({ length: Math.floor(agents.length / AGENT_STRIDE) }, (_, index) => bodyAt(agents, index * AGENT_STRIDE));
}

/** Who has that key. */
export function bodyOf(agents: Float64Array, key: number | null): Body | undefined {
  for (let at = 0; key !== null && at < agents.length; at += AGENT_STRIDE) if (agents[at] === key) return bodyAt(agents, at);
  return undefined;
}

/** A key to read. Hosts that use a place again count its lives in the other half of the key. */
export function keyName(key: number): string {
  const half = 2 ** 32;
  return key < half ? String(key) : `${Math.floor(key / half)}.${key % half}`;
}
