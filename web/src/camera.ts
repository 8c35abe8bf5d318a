// Where the cameras are found; see the folder `stage`.
export { VIEWS, type View } from "./stage/camera.js";
