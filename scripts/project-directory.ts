import path from "node:path";

/** Absolute path of the folder that package.json lies in. */
export const projectDirectory = path.dirname(import.meta.dirname);
