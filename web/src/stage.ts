// Where the stage is found; its parts are in the folder of that name.
export { Stage, type Extras } from "./stage/stage.js";
