// A sound at its place: through a panner around the ears, so that it comes from its side and fades with distance. The same for a
// page that plays and for one that renders without a speaker.

import type { Ears, Sound } from "./choose.js";
import { play } from "./synth.js";

/** What sounds are made with: the context, its noise, and where all of them go. */
export interface Room { audio: BaseAudioContext; hiss: AudioBuffer; out: AudioNode }

/** Up to `refDistance` a sound is as loud as it is made; twice as far it is half as loud. */
const PANNER: PannerOptions = { panningModel: "equalpower", distanceModel: "inverse", refDistance: 3, rolloffFactor: 1, maxDistance: 200 };

/** Puts the ears where they are, looking where they look. */
export function turnEars(listener: AudioListener, { x, y, z, yaw }: Ears): void {
  if (listener.positionX === undefined) {
    listener.setPosition(x, y, z);
    listener.setOrientation(-Math.sin(yaw), 0, -Math.cos(yaw), 0, 1, 0);
    return;
  }
  const pairs = [[listener.positionX, x], [listener.positionY, y], [listener.positionZ, z], [listener.forwardX, -Math.sin(yaw)], [listener.forwardY, 0], [listener.forwardZ, -Math.cos(yaw)], [listener.upX, 0], [listener.upY, 1], [listener.upZ, 0]] as const;
  for (const [param, value] of pairs) param.value = value;
}

/** Plays a sound where it is, from `at` on, s; what it goes through, and how long it lasts, s. */
export function playAt({ audio, hiss, out }: Room, sound: Sound, at: number): { panner: PannerNode; lasts: number } {
  const [panner, gain] = [new PannerNode(audio, { ...PANNER, positionX: sound.x, positionY: sound.y, positionZ: sound.z }), audio.createGain()];
  gain.gain.value = Math.min(1, Math.max(0, sound.loudness));
  gain.connect(panner).connect(out);
  return { panner, lasts: play({ audio, hiss, out: gain, at }, sound) };
}
