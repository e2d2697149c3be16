import { createHash } from "node:crypto";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { changedFields } from "@/lib/server/platform/audit-columns";

interface Published {
  readonly number: number;
  readonly raw: RawConfig;
}

const LONGEST_VALUE = 500;

/**
 * The fields that differ between two versions, for the audit log. Long values are truncated and identified by a hash;
 * the versions contain them in full.
 */
export function publishedSides(before: Published, after: Published) {
  return changedFields(sideOf(before), sideOf(after));
}

function sideOf({ number, raw }: Published): Record<string, unknown> {
  return { version: number, ...Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, shorten(value)])) };
}

function shorten(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === undefined || text.length <= LONGEST_VALUE) return value;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters, ${hash})`;
}
