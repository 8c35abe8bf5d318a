// The material of the level: light and shadow by three.js, and on top patterns in world space made in the shader (slabs, bricks,
// planks, blades, waves), so that no picture has to be loaded; and a hole where something stands before what one looks at.

import * as THREE from "three";

/** What all meshes of the level share. */
export interface LevelLook {
  /** Time of the world, s: water moves by it. */
  time: { value: number };
  /** How much of the patterns is seen, 0 to 1; less on the map. */
  grain: { value: number };
  /** What must be seen: its place, and over which height things before it fade, m. */
  focus: { value: THREE.Vector3 };
  /** Walls of the level's near rim are faint: toward the camera over the ground (x, z), and from how far along on, m. */
  rim: { value: THREE.Vector3 };
  /** How wide the hole is around the line to the focus, m; 0: nothing fades. */
  hole: { value: number };
}

export const newLook = (): LevelLook => ({ time: { value: 0 }, grain: { value: 1 }, focus: { value: new THREE.Vector3() }, rim: { value: new THREE.Vector3(0, 0, 1e9) }, hole: { value: 0 } });

const HEAD = `
varying vec3 vPlace;
varying float vSurface;
uniform float time;
uniform float grain;
uniform vec3 focus;
uniform vec3 rim;
uniform float hole;
float hashed(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hashed(i), hashed(i + vec2(1.0, 0.0)), f.x), mix(hashed(i + vec2(0.0, 1.0)), hashed(i + vec2(1.0, 1.0)), f.x), f.y);
}
float rule(float at, float gap, float thick) { float x = abs(fract(at / gap - 0.5) - 0.5) * gap; float soft = max(fwidth(at), 1e-4); return 1.0 - smoothstep(thick, thick + soft * 1.5, x); }
float bayer(vec2 p) { vec2 q = mod(floor(p), 4.0); float a = mod(q.x * 2.0 + q.y * 3.0, 4.0); float b = mod(floor(q.x * 0.5) + floor(q.y * 0.5) * 2.0 + q.x * q.y, 4.0); return (a * 4.0 + b + 0.5) / 16.0; }
/** How much of a fragment is left where it stands before the focus. */
float left() {
  if (hole <= 0.0 || vPlace.y < focus.y + 0.28) return 1.0;
  if (dot(vPlace.xz, rim.xy) > rim.z) return 0.22;
  vec3 way = focus + vec3(0.0, 0.8, 0.0) - cameraPosition;
  float far = length(way);
  way /= far;
  float along = dot(vPlace - cameraPosition, way);
  if (along < 0.0 || along > far - 0.35) return 1.0;
  float off = length(vPlace - cameraPosition - way * along);
  float wide = hole * mix(0.55, 1.0, along / far);
  return mix(0.12, 1.0, smoothstep(wide * 0.65, wide, off));
}
vec3 patterned(vec3 color, vec3 side) {
  int kind = int(vSurface + 0.5);
  bool isFlat = abs(side.y) > 0.6;
  float along = abs(side.x) > abs(side.z) ? vPlace.z : vPlace.x;
  vec2 on = isFlat ? vPlace.xz : vec2(along, vPlace.y);
  float far = length(vPlace - cameraPosition);
  float fine = grain * (1.0 - smoothstep(18.0, 60.0, far));
  float rough = noise(on * 1.3) * 0.6 + noise(on * 5.1) * 0.4 - 0.5;
  if (kind == 6) {
    float wave = noise(vPlace.xz * 0.9 + vec2(time * 0.35, time * 0.22)) + noise(vPlace.xz * 2.1 - vec2(time * 0.4, time * -0.3)) * 0.6;
    float crest = smoothstep(1.06, 1.25, wave) * 0.5;
    return color * (0.84 + 0.2 * wave) + vec3(0.55, 0.66, 0.7) * crest * 0.5;
  }
  if (kind == 7 || kind == 8) {
    float blades = noise(on * 9.0) * noise(on * 2.3);
    return color * (0.9 + 0.28 * rough * grain + 0.16 * blades * fine) * mix(vec3(1.0), vec3(0.93, 1.05, 0.86), noise(on * 0.35) * grain);
  }
  if (kind == 9) return color * (1.0 + 0.18 * rough * grain + 0.07 * sin(vPlace.x * 2.2 + noise(on * 0.6) * 7.0) * fine);
  if (kind == 10) return color * (0.92 + 0.4 * rough * grain);
  if (kind == 2 || kind == 4) {
    float gap = isFlat ? rule(vPlace.x, 0.24, 0.008) : kind == 2 ? rule(vPlace.y, 0.24, 0.008) : rule(along, 0.2, 0.008);
    float fiber = noise(vec2(on.x * 2.0, on.y * 16.0)) - 0.5;
    return color * (1.0 - 0.38 * gap * fine + 0.16 * fiber * grain);
  }
  if (kind == 3) return color * (1.0 + 0.1 * rough * grain) * (1.0 - 0.14 * rule(vPlace.y, 0.16, 0.02) * fine);
  if (kind == 1) {
    if (isFlat) return color * (0.96 + 0.1 * rough * grain);
    float row = floor(vPlace.y / 0.5);
    float joint = max(rule(vPlace.y, 0.5, 0.012), rule(along + mod(row, 2.0) * 0.5, 1.0, 0.012));
    float tint = hashed(vec2(floor((along + mod(row, 2.0) * 0.5)), row)) - 0.5;
    return color * (1.0 - 0.2 * joint * fine + 0.1 * rough * grain + 0.07 * tint * fine);
  }
  if (kind == 5) return color * 1.08;
  float slab = max(rule(vPlace.x, 2.0, 0.012), rule(vPlace.z, 2.0, 0.012));
  float tint = hashed(floor(vPlace.xz / 2.0)) - 0.5;
  return color * (1.0 + 0.07 * rough * grain + 0.035 * tint * grain - 0.13 * slab * fine);
}`;

/** Lets a material of three.js look like the level; `surface` is one for the whole mesh, or an attribute of its corners. */
export function levelMaterial(look: LevelLook, more: THREE.MeshLambertMaterialParameters = {}): THREE.MeshLambertMaterial {
  const material = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide, ...more });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { time: look.time, grain: look.grain, focus: look.focus, rim: look.rim, hole: look.hole });
    shader.vertexShader = shader.vertexShader.replace("#include <common>", "#include <common>\nattribute float surface;\nvarying vec3 vPlace;\nvarying float vSurface;")
      .replace("#include <project_vertex>", `#include <project_vertex>
        vec4 placed = vec4(transformed, 1.0);
        #ifdef USE_INSTANCING
          placed = instanceMatrix * placed;
        #endif
        vPlace = (modelMatrix * placed).xyz;
        vSurface = surface;`);
    // Faces are seen from both sides, but lit by the side that the level says is out.
    shader.fragmentShader = shader.fragmentShader.replace("#include <normal_fragment_begin>", "#include <normal_fragment_begin>\nnormal = normalize(vNormal);")
      .replace("#include <common>", `#include <common>${HEAD}`).replace("#include <color_fragment>", `#include <color_fragment>
      float stays = left() * (int(vSurface + 0.5) == 5 ? 0.5 : 1.0);
      if (stays < 0.999 && bayer(gl_FragCoord.xy) > stays) discard;
      if (grain > 0.01) diffuseColor.rgb = patterned(diffuseColor.rgb, normalize(cross(dFdx(vPlace), dFdy(vPlace))));`);
  };
  return material;
}
