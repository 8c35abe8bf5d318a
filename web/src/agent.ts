// Agents for the rooms of the page: what the stage reads of them, and keys to read.

export { AGENT_STRIDE, bodies, bodyOf, type Body } from "./stage/body.js";

/** A key to read. Hosts that use a place again count its lives in the other half of the key. */
export function keyName(key: number): string {
  const half = 2 ** 32;
  return key < half ? String(key) : `${Math.floor(key / half)}.${key % half}`;
}
