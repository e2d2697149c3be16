import packageJson from "@/package.json";

/** From package.json. */
export const VERSION: string = packageJson.version;
