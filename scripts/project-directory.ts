import path from "node:path";

/** Absolute path of the folder that package.json is in. */
export const projectDirectory = path.dirname(import.meta.dirname);
