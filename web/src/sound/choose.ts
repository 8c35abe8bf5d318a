// Which sounds are heard when there are more than one can tell apart: the loudest at the ear, a few of each kind.

export type SoundKind = "step" | "shot" | "reload" | "impact" | "voice" | "alarm" | "bite" | "door" | "blast" | "pickup";

/** Something that could be heard: where, how loud there (0 to 1), whose, and the words if there are any. */
export interface Sound { kind: SoundKind; x: number; y: number; z: number; loudness: number; key: number | null; text: string | null }
/** Where one hears from, and which way one looks, rad. */
export interface Ears { x: number; y: number; z: number; yaw: number }

/** Up to here a sound is as loud as it is made, m; and farther than this nothing is heard, by kind. */
const NEAR_M = 3;
const REACH_M: Record<SoundKind, number> = { step: 22, shot: 120, reload: 18, impact: 40, voice: 45, alarm: 90, bite: 20, door: 30, blast: 160, pickup: 14 };
/** How many of a kind at once, and of all. */
const KIND_MAX: Record<SoundKind, number> = { step: 6, shot: 8, reload: 3, impact: 5, voice: 4, alarm: 2, bite: 3, door: 3, blast: 3, pickup: 2 };
export const VOICES_MAX = 20;
/** Fainter than this is silence. */
const FAINT = 0.012;

/** How loud a sound is at the ear, 0 to 1. */
export function loudnessAt(sound: Sound, ears: Ears): number {
  const far = Math.hypot(sound.x - ears.x, sound.y - ears.y, sound.z - ears.z);
  const reach = REACH_M[sound.kind];
  if (far >= reach) return 0;
  const fades = Math.min(1, NEAR_M / Math.max(far, 1e-3));
  return Math.min(1, Math.max(0, sound.loudness)) * fades * (1 - far / reach);
}

/** The sounds to be played, loudest first; `busy` voices are still sounding. */
export function choose(sounds: readonly Sound[], ears: Ears, busy: number): Sound[] {
  const ranked = sounds.map((sound, at) => ({ sound, at, loud: loudnessAt(sound, ears) })).filter(({ loud }) => loud > FAINT);
  ranked.sort((a, b) => b.loud - a.loud || a.at - b.at);
  const counts = new Map<SoundKind, number>();
  const chosen: Sound[] = [];
  for (const { sound } of ranked) {
    const count = counts.get(sound.kind) ?? 0;
    if (count >= KIND_MAX[sound.kind] || chosen.length + busy >= VOICES_MAX) continue;
    counts.set(sound.kind, count + 1);
    chosen.push(sound);
  }
  return chosen;
}

/** A syllable of a voice: when it begins, how long it lasts (s), its pitch (Hz), and the two formants of its vowel (Hz). */
export interface Syllable { at: number; lasts: number; pitch: number; formants: readonly [number, number] }

const VOWELS: readonly (readonly [number, number])[] = [[730, 1090], [530, 1840], [390, 1990], [570, 840], [440, 1020]];
const SYLLABLES_MAX = 5;

/** A bark for some words: as many syllables as they have vowels, always the same ones, in the pitch of who speaks. */
export function syllables(text: string, key: number | null): Syllable[] {
  const vowels = [...text.toLowerCase().matchAll(/[aeiouy]+/g)].slice(0, SYLLABLES_MAX);
  const pitch = 95 + (((key ?? 0) * 37) % 60);
  return vowels.map((found, at) => ({
    at: at * 0.13, lasts: at + 1 === vowels.length ? 0.2 : 0.11, pitch: pitch * (1.12 - 0.06 * at), formants: VOWELS["aeiou".indexOf(found[0][0] ?? "a")] ?? VOWELS[0]!,
  }));
}
