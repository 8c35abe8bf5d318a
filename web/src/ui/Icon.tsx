// Drawn icons: lines on a grid of 24 by 24, in the color of the text.

import type { JSX } from "solid-js";

const PATHS = {
  play: "M7 4.5v15l12-7.5z", pause: "M8 5v14M16 5v14", "tick-back": "M17 5v14l-9-7zM6 5v14", tick: "M7 5v14l9-7zM18 5v14",
  "second-back": "M12 5v14l-8-7zM21 5v14l-8-7z", second: "M12 5v14l8-7zM3 5v14l8-7z",
  "mark-before": "M15 6l-6 6 6 6M5 5v14", mark: "M9 6l6 6-6 6M19 5v14",
  fork: "M6 4v16M6 14c0-4 11-3 11-8M17 9V4M14.5 6.5L17 4l2.5 2.5", grid: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2.2M12 17.5v.5", above: "M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14",
  orbit: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5", follow: "M12 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM7 21v-6a5 5 0 0 1 10 0v6",
  eyes: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  left: "M15 5l-7 7 7 7", right: "M9 5l7 7-7 7", up: "M5 15l7-7 7 7", down: "M5 9l7 7 7-7",
  save: "M12 4v11M7.5 11L12 15.5 16.5 11M4 20h16", full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5", menu: "M4 6h16M4 12h16M4 18h16",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.8-4.8", close: "M6 6l12 12M18 6L6 18", back: "M10 5l-7 7 7 7M3 12h18",
  panel: "M4 5h16v14H4zM14.5 5v14",
  // How a part of a brain stands.
  idle: "M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2z", active: "M8 5.5v13l10-6.5z", succeeded: "M5 12.5l4.5 4.5L19 7", failed: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  refused: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM6.5 6.5l11 11", aborted: "M13 3L6 13h5l-1 8 8-11h-5z",
} as const;
export type IconName = keyof typeof PATHS;
const FILLED: readonly IconName[] = ["play", "active", "idle"];

export function Icon(props: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill={FILLED.includes(props.name) ? "currentColor" : "none"} stroke="currentColor"
      stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"><path d={PATHS[props.name]} /></svg>
  );
}
