// What who plays is shown of the own body: health, rounds, the crosshair as wide as shots go, what was hit, from where one is
// hurt, and what one's own ears hear. Everything comes from the `Hud` of the moment: nothing here knows where anybody is.

import type { Hud, Sign } from "../../pkg/sentir.js";
import { one, stage } from "../studio.js";

/** For how long a hurt, a noise, a hit are shown, s. */
const HURT_S = 1.6, NOISE_S = 1.1, HIT_S = 0.28;
/** Below this share of health or rounds it is told in red. */
const LOW = 0.3;

const box = one("hud");
const part = (name: string): HTMLElement => box.querySelector<HTMLElement>(`.${name}`)!;
const [cross, marker, hurts, noises, veil] = ["cross", "marker", "hurts", "noises", "veil"].map(part) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];

function text(name: string, content: string): void {
  const it = part(name);
  if (it.textContent !== content) it.textContent = content;
}

/** Arcs around the middle of the view, each to where something came from. */
function arcs(into: HTMLElement, signs: readonly Sign[], lasts: number, alpha: (sign: Sign) => number): void {
  const shown = signs.filter(({ age_s }) => age_s < lasts);
  while (into.childElementCount > shown.length) into.lastElementChild!.remove();
  while (into.childElementCount < shown.length) into.append(document.createElement("i"));
  const eye = stage.cameras.active.position;
  shown.forEach((sign, index) => {
    const it = into.children[index] as HTMLElement;
    const yaw = Math.atan2(-(sign.from[0] - eye.x), -(sign.from[2] - eye.z));
    it.style.transform = `rotate(${(stage.cameras.heading - yaw).toFixed(3)}rad)`;
    it.style.opacity = (alpha(sign) * (1 - sign.age_s / lasts)).toFixed(2);
  });
}

/** Shows a moment. */
export function showHud(hud: Hud): void {
  const share = hud.health_max > 0 ? hud.health / hud.health_max : 0;
  text("health-number", String(Math.ceil(share * 100)));
  part("health-bar").style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
  part("health").classList.toggle("low", share < LOW);
  text("magazine", String(hud.magazine));
  text("reserve", String(hud.reserve));
  const isLow = hud.magazine < hud.magazine_max * LOW;
  part("rounds").classList.toggle("low", isLow);
  text("hint", hud.health <= 0 ? "" : hud.reload !== null ? "reloading" : hud.magazine === 0 ? "empty: R to reload" : isLow ? "R to reload" : "");
  part("reload").style.setProperty("--share", String(hud.reload ?? 0));
  part("reload").hidden = hud.reload === null;
  text("foes", hud.foes === 1 ? "1 soldier left" : `${hud.foes} soldiers left`);
  text("left", `${Math.floor(hud.left_s / 60)}:${String(Math.floor(hud.left_s % 60)).padStart(2, "0")}`);
  part("left").classList.toggle("low", hud.left_s < 15);
  const [lastHit, lastHead, lastKill] = [hud.hit_s ?? 9, hud.head_s ?? 9, hud.kill_s ?? 9];
  marker.style.opacity = String(Math.max(0, 1 - lastHit / HIT_S, 1 - lastKill / (2.5 * HIT_S)));
  marker.classList.toggle("kill", lastKill < 2.5 * HIT_S);
  marker.classList.toggle("head", lastHead <= lastHit + 0.001);
  const hurt = hud.hurts[0];
  const fresh = hurt === undefined ? 0 : Math.max(0, 1 - hurt.age_s / 0.5);
  veil.style.opacity = Math.min(1, fresh * 0.4 + Math.max(0, LOW - share) * 1.6).toFixed(2);
  Object.assign(box.dataset, {
    eye: stage.cameras.active.position.toArray().map((value) => value.toFixed(3)).join(" "), heading: stage.cameras.heading.toFixed(4),
    health: String(Math.ceil(hud.health)), magazine: String(hud.magazine), reserve: String(hud.reserve), reload: String(hud.reload !== null), foes: String(hud.foes), shots: String(hud.shots),
  });
  turnHud(hud);
}

/** The view turned: what points somewhere goes along. */
export function turnHud(hud: Hud): void {
  const high = box.clientHeight || 1;
  // A cone of half the angle a covers tan a / tan (fov / 2) of half the height.
  const gap = (Math.tan(hud.spread_rad) / Math.tan((stage.cameras.fov * Math.PI) / 360)) * (high / 2);
  cross.style.setProperty("--gap", `${Math.max(3, Math.min(gap, high / 6)).toFixed(1)}px`);
  cross.classList.toggle("away", hud.reload !== null || hud.health <= 0);
  arcs(hurts, hud.hurts, HURT_S, () => 1);
  arcs(noises, hud.noises, NOISE_S, ({ amount }) => 0.25 + 0.6 * amount);
}
