// Every model by its name.

import { BEASTS } from "./beast.js";
import { MACHINES } from "./machine.js";
import type { Model, ModelName } from "./model.js";
import { PEOPLE } from "./people.js";

export const MODELS: Record<ModelName, Model> = { ...PEOPLE, ...BEASTS, ...MACHINES };

/** The model of a name that a scene gives; somebody plain for one that is not known here. */
export function modelNamed(name: string): ModelName {
  return name in MODELS ? (name as ModelName) : "person";
}
