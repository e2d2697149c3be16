import { isObject, type JsonObject } from "@/lib/server/tools/mcp/reading/read-message";

interface Declared {
  readonly header: string;
  /** Where the argument stands. */
  readonly path: readonly string[];
}

/** The arguments that tools of 2026-07-28 want in a header as well (`x-mcp-header` in their schema). */
export interface ArgumentHeaders {
  /** Reads a page of `tools/list`. */
  learn(page: JsonObject): void;
  /** The headers of a call, with the values encoded. */
  of(tool: string, args: unknown): readonly (readonly [name: string, value: string])[];
}

const MAX_DEPTH = 10;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export function createArgumentHeaders(): ArgumentHeaders {
  const declared = new Map<string, readonly Declared[]>();
  return {
    learn({ tools }) {
      for (const tool of Array.isArray(tools) ? tools : []) {
        if (isObject(tool) && typeof tool.name === "string") declared.set(tool.name, declaredIn(tool.inputSchema, []));
      }
    },
    of(tool, args) {
      return (declared.get(tool) ?? []).flatMap(({ header, path }) => {
        const value = path.reduce((at: unknown, key) => (isObject(at) ? at[key] : undefined), args);
        return isPlain(value) ? [[`Mcp-Param-${header}`, headerValue(String(value))] as const] : [];
      });
    },
  };
}

function declaredIn(schema: unknown, path: readonly string[]): Declared[] {
  if (!isObject(schema) || path.length > MAX_DEPTH) return [];
  const header = schema["x-mcp-header"];
  const own = typeof header === "string" && TOKEN.test(header) && path.length > 0 ? [{ header, path }] : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return [...own, ...Object.entries(properties).flatMap(([key, property]) => declaredIn(property, [...path, key]))];
}

function isPlain(value: unknown): boolean {
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}

/** A text as the value of a header: what HTTP would not carry unchanged goes as base64 between marks. */
export function headerValue(text: string): string {
  const isSafe = /^[\t\u0020-\u007E]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isSafe ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
