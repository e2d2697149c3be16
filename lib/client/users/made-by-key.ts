import type { MadeByKey } from "@/lib/schema/users/api-key";

/** What an API key means for what was made with it, in one sentence; null if none was used. */
export function madeByKeyLabel(key: MadeByKey | null): string | null {
  if (key === null) return null;
  const made = key.name === null ? "Made with an API key" : `Made with the API key “${key.name}”`;
  if (key.state === "valid") return `${made}: it keeps the key’s limits and budgets, and ends with it.`;
  return `${made}, which ${ENDED[key.state]}: it starts nothing.`;
}

const ENDED = { revoked: "was revoked", expired: "has expired", deleted: "is gone" } as const;
