import { readdirSync } from "node:fs";

/** The pictures of the gallery that there are: a scene without one shows its name instead. */
function pictures() {
  try {
    return readdirSync(new URL("./public/gallery", import.meta.url)).filter((name) => /\.(png|webp)$/.test(name));
  } catch {
    return [];
  }
}

// Relative addresses, so that the built page works from any folder of any web server.
export default {
  base: "./", build: { target: "es2022", chunkSizeWarningLimit: 900, rollupOptions: { input: ["index.html", "example/index.html"] } }, worker: { format: "es" },
  define: { GALLERY: JSON.stringify(pictures()) },
};
