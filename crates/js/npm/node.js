// The same module for Node, which reads its engine from disk: `init` has nothing left to do.
import { readFileSync } from "node:fs";
import { initSync } from "./sentir.js";

initSync({ module: readFileSync(new URL("./sentir_bg.wasm", import.meta.url)) });
export * from "./sentir.js";
export default async function init() {}
