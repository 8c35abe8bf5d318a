// A rig: rigid bones that hang on each other, and the matrices that a pose gives them. Plain numbers, no graphics: each bone is
// moved by three angles, a shift and a scale; a body's bones lie in one row of a buffer that the graphics card reads.
// Facing is −z, right is +x, up is +y. A hanging limb goes forward with a positive turn around x, and right with one around z.

/** A bone: the one that it hangs on (before it in the list, −1 for none) and where its joint is in that one's frame, m. */
export interface Bone { name: string; parent: number; at: readonly [number, number, number] }

/** Numbers of one bone of a pose: turns around x, y, z (rad), shift x, y, z (m), scale. */
export const POSE_STRIDE = 7;
/** Numbers of one bone's matrix: three rows of four. */
export const MATRIX_STRIDE = 12;

/** A pose of a rig; all bones at rest. */
export function restPose(bones: number): Float32Array {
  const pose = new Float32Array(bones * POSE_STRIDE);
  rest(pose);
  return pose;
}

/** Puts all bones at rest. */
export function rest(pose: Float32Array): void {
  pose.fill(0);
  for (let at = 6; at < pose.length; at += POSE_STRIDE) pose[at] = 1;
}

/** Turns a bone, rad: added to what it was turned before. */
export function turn(pose: Float32Array, bone: number, x: number, y = 0, z = 0): void {
  const at = bone * POSE_STRIDE;
  pose[at]! += x;
  pose[at + 1]! += y;
  pose[at + 2]! += z;
}

/** Shifts a bone in its parent's frame, m. */
export function shift(pose: Float32Array, bone: number, x: number, y: number, z: number): void {
  const at = bone * POSE_STRIDE + 3;
  pose[at]! += x;
  pose[at + 1]! += y;
  pose[at + 2]! += z;
}

export function scale(pose: Float32Array, bone: number, by: number): void {
  pose[bone * POSE_STRIDE + 6] = by;
}

/** Where a body stands: its feet, which way it faces, and how big it is. */
export interface Root { x: number; y: number; z: number; yaw: number; scale: number }

/** Writes the matrices of all bones, in the world, from `offset` on. */
export function compose(bones: readonly Bone[], pose: Float32Array, root: Root, out: Float32Array, offset: number): void {
  const rootSin = Math.sin(root.yaw), rootCos = Math.cos(root.yaw);
  for (let bone = 0; bone < bones.length; bone += 1) {
    const { parent, at } = bones[bone]!;
    const from = bone * POSE_STRIDE;
    const ax = pose[from]!, ay = pose[from + 1]!, az = pose[from + 2]!;
    // Most bones are turned around one axis at most.
    const sx = ax === 0 ? 0 : Math.sin(ax), cx = ax === 0 ? 1 : Math.cos(ax);
    const sy = ay === 0 ? 0 : Math.sin(ay), cy = ay === 0 ? 1 : Math.cos(ay);
    const sz = az === 0 ? 0 : Math.sin(az), cz = az === 0 ? 1 : Math.cos(az);
    const size = pose[from + 6]!;
    // Around z first, then x, then y.
    const r00 = (cy * cz + sy * sx * sz) * size, r01 = (sy * sx * cz - cy * sz) * size, r02 = sy * cx * size;
    const r10 = cx * sz * size, r11 = cx * cz * size, r12 = -sx * size;
    const r20 = (cy * sx * sz - sy * cz) * size, r21 = (sy * sz + cy * sx * cz) * size, r22 = cy * cx * size;
    const tx = at[0] + pose[from + 3]!, ty = at[1] + pose[from + 4]!, tz = at[2] + pose[from + 5]!;
    let p00, p01, p02, p03, p10, p11, p12, p13, p20, p21, p22, p23: number;
    if (parent < 0) {
      const s = root.scale;
      p00 = rootCos * s; p01 = 0; p02 = rootSin * s; p03 = root.x;
      p10 = 0; p11 = s; p12 = 0; p13 = root.y;
      p20 = -rootSin * s; p21 = 0; p22 = rootCos * s; p23 = root.z;
    } else {
      const p = offset + parent * MATRIX_STRIDE;
      p00 = out[p]!; p01 = out[p + 1]!; p02 = out[p + 2]!; p03 = out[p + 3]!;
      p10 = out[p + 4]!; p11 = out[p + 5]!; p12 = out[p + 6]!; p13 = out[p + 7]!;
      p20 = out[p + 8]!; p21 = out[p + 9]!; p22 = out[p + 10]!; p23 = out[p + 11]!;
    }
    const o = offset + bone * MATRIX_STRIDE;
    out[o] = p00 * r00 + p01 * r10 + p02 * r20;
    out[o + 1] = p00 * r01 + p01 * r11 + p02 * r21;
    out[o + 2] = p00 * r02 + p01 * r12 + p02 * r22;
    out[o + 3] = p00 * tx + p01 * ty + p02 * tz + p03;
    out[o + 4] = p10 * r00 + p11 * r10 + p12 * r20;
    out[o + 5] = p10 * r01 + p11 * r11 + p12 * r21;
    out[o + 6] = p10 * r02 + p11 * r12 + p12 * r22;
    out[o + 7] = p10 * tx + p11 * ty + p12 * tz + p13;
    out[o + 8] = p20 * r00 + p21 * r10 + p22 * r20;
    out[o + 9] = p20 * r01 + p21 * r11 + p22 * r21;
    out[o + 10] = p20 * r02 + p21 * r12 + p22 * r22;
    out[o + 11] = p20 * tx + p21 * ty + p22 * tz + p23;
  }
}

/** A limb of two bones: which they are, where the upper one's joint is in the frame that both live in, and how long they are, m. */
export interface Limb { upper: number; lower: number; at: readonly [number, number, number]; upperM: number; lowerM: number }

/** Where a hand goes, in the frame that the limb hangs in, and to which side its elbow points. */
export interface Grip { x: number; y: number; z: number; elbow: readonly [number, number, number] }

/** Bends a limb of two bones so that its end is at a grip, or as near as it reaches; mixed in by `share`, 0 to 1. */
export function reach(pose: Float32Array, limb: Limb, grip: Grip, share = 1): void {
  if (share <= 0) return;
  const { upperM: a, lowerM: b, at } = limb;
  let [dx, dy, dz] = [grip.x - at[0], grip.y - at[1], grip.z - at[2]];
  const asked = Math.max(1e-4, Math.hypot(dx, dy, dz));
  const far = Math.min(Math.max(asked, Math.abs(a - b) + 1e-3), a + b - 1e-3);
  [dx, dy, dz] = [dx / asked, dy / asked, dz / asked];
  // The elbow lies on a circle around the line to the grip; the side that it points to picks the place.
  const along = (a * a - b * b + far * far) / (2 * far);
  const out = Math.sqrt(Math.max(0, a * a - along * along));
  const [ex, ey, ez] = grip.elbow;
  const dot = ex * dx + ey * dy + ez * dz;
  let [nx, ny, nz] = [ex - dot * dx, ey - dot * dy, ez - dot * dz];
  const long = Math.hypot(nx, ny, nz);
  if (long < 1e-6) [nx, ny, nz] = [0, -1, 0]; else [nx, ny, nz] = [nx / long, ny / long, nz / long];
  const [kx, ky, kz] = [dx * along + nx * out, dy * along + ny * out, dz * along + nz * out];
  const upper = angles(kx / a, ky / a, kz / a);
  // What is left to go, seen from the upper bone.
  const [lx, ly, lz] = unturn(dx * far - kx, dy * far - ky, dz * far - kz, upper);
  const lower = angles(lx / b, ly / b, lz / b);
  mix(pose, limb.upper, upper, share);
  mix(pose, limb.lower, lower, share);
}

/** The turns around x and z that bring a hanging bone into a direction. */
export function angles(x: number, y: number, z: number): readonly [number, number] {
  return [Math.atan2(-z, -y), Math.asin(Math.min(1, Math.max(-1, x)))];
}

function unturn(x: number, y: number, z: number, [rx, rz]: readonly [number, number]): readonly [number, number, number] {
  const [sx, cx, sz, cz] = [Math.sin(rx), Math.cos(rx), Math.sin(rz), Math.cos(rz)];
  const [y1, z1] = [cx * y + sx * z, cx * z - sx * y];
  return [cz * x + sz * y1, cz * y1 - sz * x, z1];
}

function mix(pose: Float32Array, bone: number, [x, z]: readonly [number, number], share: number): void {
  const at = bone * POSE_STRIDE;
  pose[at] = pose[at]! + (x - pose[at]!) * share;
  pose[at + 1] = pose[at + 1]! * (1 - share);
  pose[at + 2] = pose[at + 2]! + (z - pose[at + 2]!) * share;
}
