import packageJson from "@/package.json" with { type: "json" };

/** From package.json. */
export const VERSION: string = packageJson.version;
