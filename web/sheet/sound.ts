// Every kind of sound, to be heard by a press; and `listen()`, which renders one without a speaker and tells how loud each ear has it.

import type { Sound, SoundKind } from "../src/sound/choose.js";
import { playAt, turnEars } from "../src/sound/place.js";
import { noise } from "../src/sound/synth.js";

const KINDS: readonly SoundKind[] = ["step", "shot", "reload", "impact", "voice", "alarm", "bite", "door", "blast", "pickup"];
/** Where the ears are; they look along -z. */
const EARS = { x: 0, y: 1.7, z: 0, yaw: 0 };
const RATE_HZ = 44_100, LASTS_S = 2;
const PLACES = [["left", -4, 0], ["ahead", 0, -4], ["right", 4, 0], ["far", 0, -20]] as const;

const soundAt = (kind: SoundKind, x: number, z: number): Sound => ({ kind, x, y: EARS.y, z, loudness: 1, key: 3, text: kind === "voice" ? "Moving up" : null });

/** How loud a sound from a place is in both ears: the root of the mean square over the time in which it sounds. */
async function listen(kind: SoundKind, x: number, z: number): Promise<{ left: number; right: number }> {
  const audio = new OfflineAudioContext(2, RATE_HZ * LASTS_S, RATE_HZ);
  turnEars(audio.listener, EARS);
  const { lasts } = playAt({ audio, hiss: noise(audio), out: audio.destination }, soundAt(kind, x, z), 0);
  const buffer = await audio.startRendering();
  const count = Math.min(buffer.length, Math.ceil(lasts * RATE_HZ));
  const [left, right] = [0, 1].map((ear) => Math.sqrt(buffer.getChannelData(ear).subarray(0, count).reduce((sum, value) => sum + value * value, 0) / count));
  return { left: left!, right: right! };
}

for (const kind of KINDS) {
  const row = document.getElementById("kinds")!.appendChild(document.createElement("div"));
  for (const [name, x, z] of PLACES) {
    const button = row.appendChild(Object.assign(document.createElement("button"), { textContent: `${kind} ${name}` }));
    button.addEventListener("click", () => {
      const audio = new AudioContext();
      turnEars(audio.listener, EARS);
      const { lasts } = playAt({ audio, hiss: noise(audio), out: audio.destination }, soundAt(kind, x, z), audio.currentTime);
      setTimeout(() => void audio.close(), (lasts + 0.5) * 1000);
    });
  }
}

Object.assign(window, { listen, kinds: KINDS });
document.title = "ready";
