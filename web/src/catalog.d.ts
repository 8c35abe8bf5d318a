/** What the engine says of its scenes, put in by the build; see vite.config.js. */
declare module "virtual:catalog" {
  import type { FamilyAbout, LayerAbout } from "../pkg/sentir.js";
  export const families: FamilyAbout[];
  export const layers: LayerAbout[];
  /** File names of the pictures of the gallery. */
  export const pictures: readonly string[];
}

declare module "*.css";
