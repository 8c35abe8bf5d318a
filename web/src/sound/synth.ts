// Sounds made of noise and tones, no files. Each is a handful of nodes that end by themselves.

import { syllables, type Sound, type SoundKind } from "./choose.js";

/** Where a sound goes, and when. */
interface Bench { audio: BaseAudioContext; hiss: AudioBuffer; out: AudioNode; at: number }

interface Burst { filter: BiquadFilterType; from: number; to: number; lasts: number; loud: number; sharp?: number; wait?: number }

/** A burst of noise through a filter whose tone falls or rises. */
function burst({ audio, hiss, out, at }: Bench, { filter, from, to, lasts, loud, sharp = 0.8, wait = 0 }: Burst): void {
  const [source, shape, gain, begin] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain(), at + wait];
  source.buffer = hiss;
  shape.type = filter;
  shape.Q.value = sharp;
  shape.frequency.setValueAtTime(from, begin);
  shape.frequency.exponentialRampToValueAtTime(Math.max(30, to), begin + lasts);
  gain.gain.setValueAtTime(loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.0006, begin + lasts);
  source.connect(shape).connect(gain).connect(out);
  source.start(begin, (begin * 7.3) % 0.6, lasts + 0.02);
}

interface Tone { wave: OscillatorType; from: number; to: number; lasts: number; loud: number; wait?: number }

function tone({ audio, out, at }: Bench, { wave, from, to, lasts, loud, wait = 0 }: Tone): void {
  const [source, gain, begin] = [audio.createOscillator(), audio.createGain(), at + wait];
  source.type = wave;
  source.frequency.setValueAtTime(from, begin);
  source.frequency.exponentialRampToValueAtTime(Math.max(20, to), begin + lasts);
  gain.gain.setValueAtTime(0.0006, begin);
  gain.gain.exponentialRampToValueAtTime(loud, begin + Math.min(0.012, lasts / 4));
  gain.gain.exponentialRampToValueAtTime(0.0006, begin + lasts);
  source.connect(gain).connect(out);
  source.start(begin);
  source.stop(begin + lasts + 0.02);
}

/** A voice: a buzz through two formants, syllable by syllable. */
function speak(bench: Bench, { text, key, loudness }: Sound): number {
  const words = syllables(text === null || text === "" ? "hey" : text, key);
  const { audio, out, at } = bench;
  for (const { at: after, lasts, pitch, formants } of words) {
    const begin = at + after;
    const [source, gain] = [audio.createOscillator(), audio.createGain()];
    source.type = "sawtooth";
    source.frequency.setValueAtTime(pitch * 1.08, begin);
    source.frequency.linearRampToValueAtTime(pitch * 0.9, begin + lasts);
    gain.gain.setValueAtTime(0.0006, begin);
    gain.gain.exponentialRampToValueAtTime(0.55 * (0.4 + loudness * 0.6), begin + 0.025);
    gain.gain.exponentialRampToValueAtTime(0.0006, begin + lasts);
    for (const formant of formants) {
      const shape = audio.createBiquadFilter();
      Object.assign(shape, { type: "bandpass" });
      shape.frequency.value = formant;
      shape.Q.value = 7;
      source.connect(shape).connect(gain);
    }
    gain.connect(out);
    source.start(begin);
    source.stop(begin + lasts + 0.02);
  }
  return (words.at(-1)?.at ?? 0) + 0.3;
}

/** How each kind sounds; each tells how long it lasts, s. */
const KINDS: Record<Exclude<SoundKind, "voice">, (bench: Bench, sound: Sound) => number> = {
  step: (bench, { key, loudness }) => {
    burst(bench, { filter: "lowpass", from: 520 + ((key ?? 0) % 5) * 40, to: 130, lasts: 0.09, loud: 0.35 + 0.4 * loudness });
    return 0.1;
  },
  shot: (bench) => {
    burst(bench, { filter: "highpass", from: 1800, to: 500, lasts: 0.05, loud: 0.9 });
    burst(bench, { filter: "lowpass", from: 3400, to: 240, lasts: 0.26, loud: 1 });
    tone(bench, { wave: "sine", from: 150, to: 45, lasts: 0.13, loud: 0.8 });
    return 0.3;
  },
  reload: (bench) => {
    for (const [wait, from] of [[0, 2400], [0.14, 1700], [0.4, 2900], [0.47, 2100]] as const) burst(bench, { filter: "bandpass", from, to: from * 0.7, lasts: 0.045, loud: 0.55, sharp: 4, wait });
    return 0.55;
  },
  impact: (bench, { key }) => {
    burst(bench, { filter: "bandpass", from: 2600, to: 700, lasts: 0.09, loud: 0.7, sharp: 1.5 });
    tone(bench, { wave: "triangle", from: 900 + ((key ?? 0) % 7) * 130, to: 300, lasts: 0.07, loud: 0.16 });
    return 0.1;
  },
  alarm: (bench) => {
    for (const wait of [0, 0.34, 0.68]) tone(bench, { wave: "sawtooth", from: 420, to: 820, lasts: 0.32, loud: 0.3, wait });
    return 1.05;
  },
  bite: (bench) => {
    burst(bench, { filter: "bandpass", from: 900, to: 260, lasts: 0.16, loud: 0.9, sharp: 2.2 });
    tone(bench, { wave: "sawtooth", from: 110, to: 62, lasts: 0.24, loud: 0.4 });
    return 0.25;
  },
  door: (bench) => {
    tone(bench, { wave: "sawtooth", from: 180, to: 320, lasts: 0.22, loud: 0.08 });
    burst(bench, { filter: "lowpass", from: 420, to: 90, lasts: 0.2, loud: 0.8, wait: 0.2 });
    return 0.42;
  },
  blast: (bench) => {
    burst(bench, { filter: "lowpass", from: 1500, to: 60, lasts: 0.95, loud: 1 });
    tone(bench, { wave: "sine", from: 90, to: 24, lasts: 0.7, loud: 1 });
    return 1;
  },
  pickup: (bench) => {
    for (const [wait, from] of [[0, 620], [0.07, 930]] as const) tone(bench, { wave: "triangle", from, to: from * 1.02, lasts: 0.09, loud: 0.3, wait });
    return 0.17;
  },
};

/** Plays a sound into `out`; how long it lasts, s. */
export function play(bench: Bench, sound: Sound): number {
  return sound.kind === "voice" ? speak(bench, sound) : KINDS[sound.kind](bench, sound);
}

/** A second of noise, the same each time. */
export function noise(audio: BaseAudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const values = buffer.getChannelData(0);
  let state = 0x2545f491;
  for (let at = 0; at < values.length; at += 1) {
    state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
    values[at] = (state >>> 0) / 2 ** 31 - 1;
  }
  return buffer;
}
