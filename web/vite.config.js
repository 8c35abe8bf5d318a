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
 * What the engine says of its scenes, asked when the page is built: the gallery stands before the engine is loaded, and the
 * page has no list of scenes of its own. The types are those of the package.
 */
function catalog() {
  const name = "virtual:catalog";
  return {
    name: "catalog",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      const engine = await import(here("./pkg/sentir.js"));
      engine.initSync({ module: readFileSync(here("./pkg/sentir_bg.wasm")) });
      return `export const families = ${JSON.stringify(engine.catalog())};\nexport const layers = ${JSON.stringify(engine.layers())};\nexport const pictures = ${JSON.stringify(pictures())};`;
    },
  };
}

// Relative addresses, so that the built page works from any folder of any web server.
export default {
  base: "./",
  plugins: [catalog(), solid()],
  build: { target: "es2022", chunkSizeWarningLimit: 900, rollupOptions: { input: ["index.html", "example/index.html", "sheet/index.html"] } },
  worker: { format: "es" },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
};
