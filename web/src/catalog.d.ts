/** What the engine says of its scenes, put in by the build; see vite.config.js. */
declare module "virtual:catalog" {
  export const families: import("./contract.js").Family[];
  export const layers: import("../pkg/sentir.js").LayerAbout[];
  /** File names of the pictures of the gallery. */
  export const pictures: readonly string[];
}

declare module "*.css";
