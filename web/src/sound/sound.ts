// Sounds made of noise and tones, no files: what the own hands do, and what the own ears hear, from where they hear it.

import type { Hud, Sign } from "../../pkg/sentir.js";
import { stage } from "../studio.js";
import { options } from "./option.js";

let audio: AudioContext | undefined;
let hiss: AudioBuffer | undefined;
let before: Hud | undefined;
let heardTick = -1;
/** Louder than this a noise is a shot, else steps or hands. */
const SHOT = 0.34;

/** To be called when a button is pressed: browsers let no page sound before. */
export function wake(): void {
  if (options.volume === 0) return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    if (hiss === undefined) {
      hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
      const data = hiss.getChannelData(0);
      for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1;
    }
  } catch { /* No sound, then. */ }
}

export function hush(): void {
  before = undefined;
  heardTick = -1;
}

/** A burst of noise through a filter. */
function burst(tone: number, lasts: number, loud: number, pan: number): void {
  if (audio === undefined || hiss === undefined || options.volume === 0) return;
  const [source, filter, gain, side] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain(), audio.createStereoPanner()];
  source.buffer = hiss;
  filter.type = "lowpass";
  filter.frequency.value = tone;
  side.pan.value = pan;
  gain.gain.setValueAtTime(loud * options.volume, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0005, audio.currentTime + lasts);
  source.connect(filter).connect(gain).connect(side).connect(audio.destination);
  source.start(0, Math.random() * 0.5, lasts);
}

/** A short tone. */
function beep(from: number, to: number, lasts: number, loud: number): void {
  if (audio === undefined || options.volume === 0) return;
  const [source, gain] = [audio.createOscillator(), audio.createGain()];
  source.frequency.setValueAtTime(from, audio.currentTime);
  source.frequency.exponentialRampToValueAtTime(to, audio.currentTime + lasts);
  gain.gain.setValueAtTime(loud * options.volume, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0005, audio.currentTime + lasts);
  source.connect(gain).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + lasts);
}

function heard({ from, amount }: Sign): void {
  const eye = stage.cameras.active.position;
  const yaw = Math.atan2(-(from[0] - eye.x), -(from[2] - eye.z)) - stage.cameras.heading;
  const pan = Math.max(-1, Math.min(1, -Math.sin(yaw)));
  if (amount > SHOT) burst(900 + 2600 * amount, 0.22, 0.1 + 0.35 * amount, pan);
  else burst(420, 0.09, 0.05 + 0.3 * amount, pan);
}

/** What is new since the moment before. */
export function sound(hud: Hud): void {
  const old = before;
  before = hud;
  if (old === undefined || hud.shots < old.shots) { heardTick = hud.noises[0]?.tick ?? -1; return; }
  if (hud.shots > old.shots) burst(3400, 0.16, 0.5, 0);
  if (hud.reload !== null && old.reload === null) burst(1800, 0.06, 0.3, 0.2);
  if (hud.reload === null && old.reload !== null) { burst(2600, 0.05, 0.35, 0.2); }
  if (hud.hits > old.hits) beep(1500, 1100, 0.07, 0.18);
  if (hud.kills > old.kills) beep(900, 1800, 0.16, 0.2);
  if (hud.health < old.health) { burst(260, 0.2, 0.7, 0); beep(180, 70, 0.16, 0.3); }
  for (const sign of hud.noises) if (sign.tick > heardTick) heard(sign);
  heardTick = Math.max(heardTick, hud.noises[0]?.tick ?? -1);
}
