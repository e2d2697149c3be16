import packageJson from "@/package.json";

/** Of package.json. */
export const VERSION: string = packageJson.version;
