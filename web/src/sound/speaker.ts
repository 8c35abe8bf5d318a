// The speaker: sounds of the world by place, through panners around the ears of who looks. Silent until a gesture woke it, and
// while the page is hidden.

import { choose, type Ears, type Sound } from "./choose.js";
import { playAt, turnEars } from "./place.js";
import { noise, play } from "./synth.js";

/** The own body, as far as it sounds: counts of what it did, health. */
export interface Felt { hits: number; kills: number; health: number; shots: number }

/** More sounds than these at once come from a jump of time and not from playing. */
const SOUNDS_MAX = 400;

export class Speaker {
  /** Words are spoken by the browser's own voice instead of barked. */
  speaks = false;
  private level = 0.5;
  private audio: AudioContext | undefined;
  private hiss: AudioBuffer | undefined;
  private master: GainNode | undefined;
  /** When each voice falls silent. */
  private until: number[] = [];
  private before: Felt | undefined;

  /** From 0 to 1. */
  get volume(): number { return this.level; }
  set volume(volume: number) {
    this.level = Math.min(1, Math.max(0, volume));
    if (this.master !== undefined && this.audio !== undefined) this.master.gain.setTargetAtTime(this.level, this.audio.currentTime, 0.03);
  }

  /** To be called by a gesture: browsers let no page sound before. */
  wake(): void {
    if (this.audio !== undefined) { void this.audio.resume(); return; }
    if (typeof AudioContext === "undefined") return;
    try {
      const audio = new AudioContext();
      const squeeze = audio.createDynamicsCompressor();
      this.master = audio.createGain();
      this.master.gain.value = this.level;
      this.master.connect(squeeze).connect(audio.destination);
      [this.audio, this.hiss] = [audio, noise(audio)];
      document.addEventListener("visibilitychange", () => { if (document.hidden) void audio.suspend(); else void audio.resume(); });
    } catch { /* No sound, then. */ }
  }

  private get isAwake(): boolean { return this.audio?.state === "running" && this.level > 0 && !document.hidden; }

  /** Another run: nothing was heard before. */
  hush(): void {
    this.before = undefined;
    this.until = [];
    if (typeof speechSynthesis !== "undefined") speechSynthesis.cancel();
  }

  /** The ears moved. */
  listen(ears: Ears): void {
    if (this.audio !== undefined && this.isAwake) turnEars(this.audio.listener, ears);
  }

  /** Plays what a moment lets one hear. */
  take(sounds: readonly Sound[], ears: Ears): void {
    if (sounds.length === 0 || sounds.length > SOUNDS_MAX || !this.isAwake) return;
    const { audio, hiss } = this;
    if (audio === undefined || hiss === undefined || this.master === undefined) return;
    this.listen(ears);
    const now = audio.currentTime;
    this.until = this.until.filter((end) => end > now);
    for (const sound of choose(sounds, ears, this.until.length)) {
      if (sound.kind === "voice" && this.speaks && sound.text !== null && typeof speechSynthesis !== "undefined") { speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(sound.text), { volume: this.level * sound.loudness, rate: 1.25 })); continue; }
      const { panner, lasts } = playAt({ audio, hiss, out: this.master }, sound, now);
      this.until.push(now + lasts);
      setTimeout(() => panner.disconnect(), (lasts + 0.3) * 1000);
    }
  }

  /** What the own body did since the moment before: a hit, a kill, a wound; heard by nobody else. */
  feel(felt: Felt): void {
    const old = this.before;
    this.before = { hits: felt.hits, kills: felt.kills, health: felt.health, shots: felt.shots };
    const { audio, hiss, master } = this;
    if (old === undefined || felt.shots < old.shots || audio === undefined || hiss === undefined || master === undefined || !this.isAwake) return;
    const beep = (from: number, to: number, lasts: number, loud: number) => {
      const [source, gain] = [audio.createOscillator(), audio.createGain()];
      source.frequency.setValueAtTime(from, audio.currentTime);
      source.frequency.exponentialRampToValueAtTime(to, audio.currentTime + lasts);
      gain.gain.setValueAtTime(loud, audio.currentTime);
      gain.gain.exponentialRampToValueAtTime(0.0006, audio.currentTime + lasts);
      source.connect(gain).connect(master);
      source.start();
      source.stop(audio.currentTime + lasts);
    };
    if (felt.hits > old.hits) beep(1500, 1100, 0.07, 0.18);
    if (felt.kills > old.kills) beep(900, 1800, 0.16, 0.2);
    if (felt.health < old.health) { beep(180, 60, 0.18, 0.4); play({ audio, hiss, out: master, at: audio.currentTime }, { kind: "bite", x: 0, y: 0, z: 0, loudness: 0.6, key: null, text: null }); }
  }
}
