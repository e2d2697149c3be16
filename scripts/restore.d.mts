import type { Installation } from "./backup.mjs";

export function restore(installation: Installation, folder: string, now?: Date): Promise<string | null>;
