import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { BARE_RESULT, isObject, type JsonObject } from "./read-message";

const MAX_PAGES = 50;

interface Pages<T> {
  readonly method: "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list";
  /** The field with the entries. */
  readonly field: string;
  /** Null for an entry that is left out. `position` counts from 1. */
  readonly read: (entry: unknown, position: number) => T | null;
  /** What makes two entries the same. */
  readonly keyOf: (read: T) => string;
  readonly timeoutMs: number;
  readonly max?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A list of the server, page by page, each entry read by itself; of entries with the same key, the last one counts. A
 * cursor that leads to nothing new ends the list. A server that does not know the method has an empty one.
 */
export async function readPages<T>(client: Client, pages: Pages<T>): Promise<T[]> {
  const { max = Number.POSITIVE_INFINITY, read, keyOf } = pages;
  const found = new Map<string, T>();
  const cursors = new Set<unknown>();
  let cursor: unknown;
  let position = 0;
  for (let page = 0; page < MAX_PAGES && found.size < max; page += 1) {
    const result = await askForPage(client, pages, cursor);
    const known = found.size;
    for (const entry of entriesOf(result, pages.field)) {
      position += 1;
      const one = read(entry, position);
      if (one !== null) found.set(keyOf(one), one);
    }
    cursors.add(cursor);
    cursor = result?.nextCursor ?? undefined;
    const isStuck = page > 0 && found.size === known;
    if (cursor === undefined || isStuck || cursors.has(cursor)) break;
  }
  return [...found.values()].slice(0, max);
}

async function askForPage<T>(
  client: Client,
  { method, timeoutMs, signal }: Pages<T>,
  cursor: unknown,
): Promise<JsonObject | null> {
  const options = { timeout: timeoutMs, ...(signal ? { signal } : {}) };
  const params = cursor === undefined ? {} : { cursor };
  try {
    return await client.request({ method, params }, ResultSchema, options);
  } catch (error) {
    const isUnknown = error instanceof McpError && error.code === ErrorCode.MethodNotFound;
    const isBadCursor = cursor !== undefined && error instanceof McpError && error.code === ErrorCode.InvalidParams;
    if (isUnknown || isBadCursor) return null;
    throw error;
  }
}

/** Some servers send a list alone, or name the entries by keys. */
function entriesOf(result: JsonObject | null, field: string): unknown[] {
  const entries = result?.[field] ?? result?.[BARE_RESULT];
  if (Array.isArray(entries)) return entries;
  if (!isObject(entries)) return [];
  return Object.entries(entries).map(([name, entry]) => (isObject(entry) ? { name, ...entry } : entry));
}
