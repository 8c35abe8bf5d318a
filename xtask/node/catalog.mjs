// What every module of the studio says of its scenes, as one file: by it a page knows all of them before it loads any module.
// Usage: node catalog.mjs PACKAGE_FOLDER FAMILY...
// Writes catalog.json { families, layers }, each family with the bytes of its module, and sentir.d.ts, the types that all share.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...names] = process.argv.slice(2);
if (names.length === 0) {
  console.error("usage: node catalog.mjs PACKAGE_FOLDER FAMILY...");
  process.exit(2);
}

const families = [];
let layers;
for (const name of names) {
  const module = await import(pathToFileURL(join(folder, `${name}.js`)).href);
  const wasm = await readFile(join(folder, `${name}_bg.wasm`));
  module.initSync({ module: wasm });
  const [family, ...more] = module.catalog();
  assert.ok(family?.name === name && more.length === 0, `the module of ${name} plays ${family?.name ?? "nothing"}`);
  families.push({ ...family, bytes: wasm.length });
  layers ??= module.layers();
}
await writeFile(join(folder, "catalog.json"), JSON.stringify({ families, layers }));
await writeFile(join(folder, "sentir.d.ts"), `export * from "./${names[0]}.js";\nexport { default } from "./${names[0]}.js";\n`);
