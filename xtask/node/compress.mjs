// Puts NAME.gz beside every file of a built page that gets smaller by it: `sentir studio` and most web servers send it in its place.
// Usage: node compress.mjs FOLDER

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node compress.mjs FOLDER");
  process.exit(2);
}
const KINDS = new Set([".html", ".js", ".css", ".json", ".svg", ".wasm"]);
let [count, plain, zipped] = [0, 0, 0];
for (const name of await readdir(folder, { recursive: true })) {
  const path = join(folder, name);
  if (!KINDS.has(extname(name)) || !(await stat(path)).isFile()) continue;
  const bytes = await readFile(path);
  const small = gzipSync(bytes, { level: 9 });
  if (small.length >= bytes.length) continue;
  await writeFile(`${path}.gz`, small);
  [count, plain, zipped] = [count + 1, plain + bytes.length, zipped + small.length];
}
console.log(`${count} files of ${plain} bytes are there gzipped, in ${zipped}`);
