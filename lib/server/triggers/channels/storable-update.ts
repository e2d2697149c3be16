import type { InboundUpdate } from "./channel";

/**
 * The update without what a database does not take: Postgres refuses NUL and half of a character, and an update that
 * can't be stored would hold up those after it for ever.
 */
export function storableUpdate(update: InboundUpdate): InboundUpdate {
  return storable(update) as InboundUpdate;
}

function storable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "").toWellFormed();
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, storable(part)]));
}
