// What the page reads of a scene, by the names it uses: the types are the package's.

import type { Button, Controls, FamilyAbout, Hud, SceneAbout } from "../pkg/sentir.js";

export type { Banner, Gauge, Minimap, Panel, PanelRow, Place, Play, Prompt, ResultCard, Sound, Tone } from "../pkg/sentir.js";
export type Scene = SceneAbout;
export type Family = FamilyAbout;
export type HudOf = Hud;
export type PanelButton = Button;
/** Controls of a player, with the button of a panel. */
export type Given = Controls;
