// The example of the guide, run from the packed tarball as a game programmer would: in Node and in Chromium.
// Usage: node package.mjs TARBALL EXAMPLE_FOLDER CHROMIUM PICTURES_FOLDER

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { visit } from "./visit.mjs";

const [tarball, example, program, pictures] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node package.mjs TARBALL EXAMPLE_FOLDER CHROMIUM PICTURES_FOLDER");
  process.exit(2);
}
const TICKS = 1_500;

/** A guard that saw the runner lost him, and went back to its patrol. */
function judge(log, where) {
  const first = log.findIndex(({ name }) => name === "noticed");
  assert.ok(first >= 0, `${where}: no guard saw the runner`);
  assert.ok(log.slice(first).some(({ key, name }) => name === "lost" && key === log[first].key), `${where}: the guard never lost him`);
}

const folder = await mkdtemp(join(tmpdir(), "sentir-package-"));
try {
  const modules = join(folder, "node_modules", "sentir");
  await mkdir(modules, { recursive: true });
  await mkdir(pictures, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", modules, "--strip-components=1"]);
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" });
  for (const name of ["package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "sentir.js", "sentir.d.ts", "sentir_bg.wasm", "node.js"]) {
    assert.ok(files.includes(`package/${name}\n`), `the package lacks ${name}:\n${files}`);
  }
  await cp(example, folder, { recursive: true });

  const { log, tick, world } = await import(pathToFileURL(join(folder, "guards.js")).href);
  const doing = new Set();
  for (let count = 0; count < TICKS; count += 1) {
    tick();
    for (const key of [1, 2]) world.agent(key).doing.forEach((label) => doing.add(label));
  }
  judge(log, "Node");
  for (const word of ["chase", "search", "patrol"]) assert.ok([...doing].some((label) => label.includes(word)), `nobody was at ${word}: ${[...doing]}`);

  const { page, address, complaints, leave } = await visit(folder, program, { width: 900, height: 660 });
  try {
    await page.goto(`${address}index.html`);
    for (const [name, wanted] of [["noticed", 1], ["lost", 1]]) {
      await page.waitForFunction(([name, wanted]) => JSON.parse(document.body.dataset.log ?? "[]").filter((one) => one.name === name).length >= wanted, [name, wanted], { timeout: 120_000 });
      await page.screenshot({ path: join(pictures, `package-${name}.png`) });
    }
    judge(JSON.parse(await page.evaluate(() => document.body.dataset.log)), "Chromium");
    assert.deepEqual(complaints, []);
  } finally {
    await leave();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log("the packed example runs in Node and in Chromium: guards see, chase and lose a runner");
