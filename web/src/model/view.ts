// The cameras by name. The stage has them; the page and its links only name them.

export const VIEWS = ["above", "orbit", "follow", "eyes"] as const;
export type View = (typeof VIEWS)[number];

export const VIEW_NAMES: Record<View, { text: string; key: string; about: string }> = {
  above: { text: "Map", key: "T", about: "From above" },
  orbit: { text: "3D", key: "O", about: "All around in 3D" },
  follow: { text: "Follow", key: "V", about: "Behind an agent" },
  eyes: { text: "Eyes", key: "I", about: "Out of the eyes of an agent" },
};

/** The cameras that a scene offers; all of them where it does not say. */
export function viewsOf(names: readonly string[] | undefined): View[] {
  const known = (names ?? []).map((name) => VIEWS.find((view) => view === name)).filter((view) => view !== undefined);
  return known.length > 0 ? known : [...VIEWS];
}
