// The model, handed down to every component.

import { createContext, useContext } from "solid-js";
import type { Studio } from "../model/studio.js";

export const StudioContext = createContext<Studio>();

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === undefined) throw new Error("a component is outside of the page");
  return studio;
}
