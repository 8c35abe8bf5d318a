import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import solid from "vite-plugin-solid";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The names of the pictures of the gallery that there are: a scene without one shows its name instead. */
function pictures() {
  try {
    return readdirSync(here("./public/gallery")).filter((name) => /\.(png|gif|webp)$/.test(name));
  } catch {
    return [];
  }
}

/**
 * What the engine's modules say of their scenes, written when they are built: the gallery stands before any of them is loaded,
 * and the page has no list of scenes of its own. The types are those of the package.
 */
function catalog() {
  const name = "virtual:catalog";
  return {
    name: "catalog",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const { families, layers } = JSON.parse(readFileSync(here("./pkg/catalog.json"), "utf8"));
      return `export const families = ${JSON.stringify(families)};\nexport const layers = ${JSON.stringify(layers)};\nexport const pictures = ${JSON.stringify(pictures())};`;
    },
  };
}

// Relative addresses, so that the built page works from any folder of any web server.
export default {
  base: "./",
  plugins: [catalog(), solid()],
  build: { target: "es2022", chunkSizeWarningLimit: 900, rollupOptions: { input: ["index.html", "example/index.html", "sheet/index.html", "sheet/sound.html"] } },
  worker: { format: "es" },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
};
