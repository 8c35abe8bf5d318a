// The engine's modules, one a family of scenes, loaded when a scene of it is started. What scenes there are says a file that the build
// made of all modules, so a page that shows no scene loads none.

/// <reference types="vite/client" />
import catalog from "../pkg/catalog.json";
import type * as Module from "../pkg/sentir.js";
import type { FamilyAbout } from "../pkg/sentir.js";

/** What every module can do: `start` a scene of its family. */
export type Engine = typeof Module;
/** How much of a module is there, 0 to 1. */
export type Progress = (share: number) => void;

/** Every family with its scenes, in the order of lists. */
const { families: listed } = catalog as unknown as { families: (FamilyAbout & { bytes: number })[] };

const modules = import.meta.glob<Engine>("../pkg/*.js");
const addresses = import.meta.glob<string>("../pkg/*_bg.wasm", { query: "?url", import: "default", eager: true });
const loaded = new Map<string, Promise<Engine>>();

/** The family of a scene; of a name that is none, that of the scene most like it, whose module then says so. */
export function familyOf(scene: string): string {
  let [best, least] = [listed[0].name, Infinity];
  for (const { name, scenes } of listed) {
    for (const one of scenes) {
      const apart = distance(scene, one.name);
      if (apart < least) [best, least] = [name, apart];
    }
  }
  return best;
}

/** How many letters must be put in, left out or changed to make one word of another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

/** The module of a family, ready to start scenes. Loaded once; one that could not be loaded is tried again the next time. */
export function loadFamily(name: string, progress: Progress = () => {}): Promise<Engine> {
  let engine = loaded.get(name);
  if (engine === undefined) {
    engine = load(name, progress);
    engine.catch(() => loaded.delete(name));
    loaded.set(name, engine);
  }
  return engine;
}

async function load(name: string, progress: Progress): Promise<Engine> {
  const [module, address] = [modules[`../pkg/${name}.js`], addresses[`../pkg/${name}_bg.wasm`]];
  if (module === undefined || address === undefined) throw new Error(`there is no module of the family '${name}'`);
  const [engine, answer] = await Promise.all([module(), fetch(address)]);
  if (!answer.ok || answer.body === null) throw new Error(`the module of the family '${name}' cannot be loaded: ${answer.status} ${answer.statusText}`);
  const bytes = listed.find((family) => family.name === name)?.bytes ?? 0;
  await engine.default({ module_or_path: new Response(counted(answer.body, bytes, progress), { headers: { "content-type": "application/wasm" } }) });
  progress(1);
  return engine;
}

/** The same stream, telling how much of it went by. It is counted as it comes out of the network's compression, as the file is. */
function counted(body: ReadableStream<Uint8Array>, bytes: number, progress: Progress): ReadableStream<Uint8Array> {
  let received = 0;
  return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      received += part.length;
      progress(bytes > 0 ? Math.min(received / bytes, 1) : 0);
      controller.enqueue(part);
    },
  }));
}
