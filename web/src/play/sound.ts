// Sounds made of noise and tones, no files: what the own hands do, and what the own ears hear, from where they hear it.

import type { Hud, Sign } from "../../pkg/sentir.js";

/** Louder than this a noise is a shot, else steps or hands. */
const SHOT = 0.34;

/** From where one hears: the place of the eyes and where they look over the ground, rad. */
export interface Ears { x: number; z: number; heading: number }

export class Sound {
  private audio: AudioContext | undefined;
  private hiss: AudioBuffer | undefined;
  private before: Hud | undefined;
  private heardTick = -1;

  /** How loud it is (0 to 1) and where the ears are is asked whenever something sounds. */
  constructor(private volume: () => number, private ears: () => Ears) {}

  /** To be called when a button is pressed: browsers let no page sound before. */
  wake(): void {
    if (this.volume() === 0) return;
    try {
      this.audio ??= new AudioContext();
      void this.audio.resume();
      if (this.hiss === undefined) {
        this.hiss = this.audio.createBuffer(1, this.audio.sampleRate, this.audio.sampleRate);
        const data = this.hiss.getChannelData(0);
        for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1;
      }
    } catch { /* No sound, then. */ }
  }

  /** Another run: nothing was heard before. */
  hush(): void {
    this.before = undefined;
    this.heardTick = -1;
  }

  /** A burst of noise through a filter. */
  private burst(tone: number, lasts: number, loud: number, pan: number): void {
    const { audio, hiss } = this;
    if (audio === undefined || hiss === undefined || this.volume() === 0) return;
    const [source, filter, gain, side] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain(), audio.createStereoPanner()];
    source.buffer = hiss;
    filter.type = "lowpass";
    filter.frequency.value = tone;
    side.pan.value = pan;
    gain.gain.setValueAtTime(loud * this.volume(), audio.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.0005, audio.currentTime + lasts);
    source.connect(filter).connect(gain).connect(side).connect(audio.destination);
    source.start(0, Math.random() * 0.5, lasts);
  }

  /** A short tone. */
  private beep(from: number, to: number, lasts: number, loud: number): void {
    const { audio } = this;
    if (audio === undefined || this.volume() === 0) return;
    const [source, gain] = [audio.createOscillator(), audio.createGain()];
    source.frequency.setValueAtTime(from, audio.currentTime);
    source.frequency.exponentialRampToValueAtTime(to, audio.currentTime + lasts);
    gain.gain.setValueAtTime(loud * this.volume(), audio.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.0005, audio.currentTime + lasts);
    source.connect(gain).connect(audio.destination);
    source.start();
    source.stop(audio.currentTime + lasts);
  }

  private heard({ from, amount }: Sign): void {
    const { x, z, heading } = this.ears();
    const yaw = Math.atan2(-(from[0] - x), -(from[2] - z)) - heading;
    const pan = Math.max(-1, Math.min(1, -Math.sin(yaw)));
    if (amount > SHOT) this.burst(900 + 2600 * amount, 0.22, 0.1 + 0.35 * amount, pan);
    else this.burst(420, 0.09, 0.05 + 0.3 * amount, pan);
  }

  /** What is new since the moment before. */
  sound(hud: Hud): void {
    const old = this.before;
    this.before = hud;
    if (old === undefined || hud.shots < old.shots) { this.heardTick = hud.noises[0]?.tick ?? -1; return; }
    if (hud.shots > old.shots) this.burst(3400, 0.16, 0.5, 0);
    if (hud.reload !== null && old.reload === null) this.burst(1800, 0.06, 0.3, 0.2);
    if (hud.reload === null && old.reload !== null) this.burst(2600, 0.05, 0.35, 0.2);
    if (hud.hits > old.hits) this.beep(1500, 1100, 0.07, 0.18);
    if (hud.kills > old.kills) this.beep(900, 1800, 0.16, 0.2);
    if (hud.health < old.health) { this.burst(260, 0.2, 0.7, 0); this.beep(180, 70, 0.16, 0.3); }
    for (const sign of hud.noises) if (sign.tick > this.heardTick) this.heard(sign);
    this.heardTick = Math.max(this.heardTick, hud.noises[0]?.tick ?? -1);
  }
}
