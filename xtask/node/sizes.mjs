// The sizes of wasm modules, a line each: raw, gzipped, brotli (both at their best). Usage: node sizes.mjs FILE...
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const row = (cells) => cells.map((cell, at) => (at === 0 ? String(cell).padEnd(24) : String(cell).padStart(10))).join("");
console.log(row(["module, bytes", "raw", "gzipped", "brotli"]));
for (const path of process.argv.slice(2)) {
  const bytes = await readFile(path);
  console.log(row([basename(path), bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length]));
}
