// Serves a folder on loopback and opens Chromium, for what is tried in the page.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

export const FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".png": "image/png", ".webp": "image/webp" };

/** A page, its address, what its console complained of, and how to leave. */
export async function visit(folder, program, viewport) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname).replace(/^(\.\.[/\\])+/, "");
    try {
      const body = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
    } catch {
      response.writeHead(404).end("not found");
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const profile = await mkdtemp(join(tmpdir(), "studio-"));
  const browser = await chromium.launchPersistentContext(profile, { executablePath: program, args: FLAGS, viewport });
  const page = browser.pages()[0] ?? (await browser.newPage());
  page.setDefaultTimeout(30_000);
  const complaints = [];
  page.on("console", (message) => {
    // Software rendering tells of its own slowness; that is no fault of the page.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const leave = async () => {
    await browser.close();
    server.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { page, address: `http://127.0.0.1:${server.address().port}/`, complaints, leave };
}

/** What every check does with a page: look at the moment, wait, take pictures, open a scene, drag time. */
export function tools(page, pictures) {
  const moment = () => page.evaluate(() => ({ ...document.body.dataset }));
  const until = (test, value) => page.waitForFunction(test, value, { timeout: 240_000 });
  /** At a moment, or at the end of a match that is over before. */
  const arrived = (tick) => until((tick) => {
    const { tick: now, ending } = document.body.dataset;
    return now === String(tick) || (ending !== "" && Number(now) < tick && now !== "");
  }, tick);
  const shoot = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });

  /** Opens what a link says in the page that is there; its first moment is shown when this returns. */
  async function open(words) {
    await page.evaluate((hash) => {
      document.body.dataset.tick = "";
      if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange")); else location.hash = hash;
    }, `#${words}`);
    const scene = new URLSearchParams(words).get("scene");
    await until((scene) => document.body.dataset.scene === scene && document.body.dataset.tick !== "", scene);
  }

  async function slide(tick) {
    await page.locator("#time").evaluate((slider, tick) => { slider.value = String(tick); slider.dispatchEvent(new Event("input")); }, tick);
    await arrived(tick);
    return (await moment()).hash;
  }

  async function isNarrow(what, most) {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > most) throw new Error(`${what} is ${wide} px wide on a phone of ${most}`);
  }

  return { moment, until, arrived, shoot, open, slide, isNarrow };
}
