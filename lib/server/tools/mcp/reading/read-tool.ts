import type { McpDefinition } from "@/lib/schema/tools/mcp-server";
import { isObject, type JsonObject } from "./read-message";

/** The longest name that the API takes. */
const MAX_NAME_CHARS = 200;
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** An entry of a server's list of tools. */
export interface ReadTool {
  readonly name: string;
  readonly definition: McpDefinition;
}

/**
 * Reads one entry by itself, so that an odd one hides no other. What can't be offered is returned with the reason in
 * `unreadable`, and with a name made of its position if it has none.
 */
export function readTool(entry: unknown, position: number): ReadTool {
  const unnamed = `(entry ${position})`;
  if (!isObject(entry)) return unreadable(unnamed, `Entry ${position} of the server's list is not a tool.`);
  const name = typeof entry.name === "string" ? entry.name : "";
  const description = textOf(entry.description);
  if (name.trim() === "") return unreadable(unnamed, `Tool ${position} of the server's list has no name.`, description);
  if (name.length > MAX_NAME_CHARS || hasControl(name)) {
    const why = `The name of tool ${position} is longer than ${MAX_NAME_CHARS} characters or has control characters.`;
    return unreadable(unnamed, why, description);
  }
  const schema = readSchema(entry.inputSchema);
  if (typeof schema === "string") return unreadable(name, schema, description);
  const { title } = entry;
  const annotations = readAnnotations(entry.annotations);
  return {
    name,
    definition: {
      ...(typeof title === "string" ? { title } : {}),
      description,
      schema,
      ...(annotations === null ? {} : { annotations }),
    },
  };
}

function unreadable(name: string, why: string, description = ""): ReadTool {
  return { name, definition: { description, schema: {}, unreadable: why } };
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}

/** The words of a field that should be a text. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((line) => typeof line === "string")) return value.join("\n");
  return JSON.stringify(value);
}

function readAnnotations(value: unknown): Record<string, unknown> | null {
  if (!isObject(value)) return null;
  const title = typeof value.title === "string" ? { title: value.title } : {};
  const hints = HINTS.filter((hint) => typeof value[hint] === "boolean").map((hint) => [hint, value[hint]]);
  return { ...title, ...Object.fromEntries(hints) };
}

/** No schema means no arguments. Returns a sentence for one that describes no named arguments. */
function readSchema(given: unknown): Record<string, unknown> | string {
  if (given === undefined || given === null || given === true) return { type: "object" };
  if (Array.isArray(given) && given.length === 0) return { type: "object" };
  if (!isObject(given)) return "What the server says about its arguments is not a schema.";
  const { type, properties, required, ...rest } = given;
  const types = Array.isArray(type) ? type : [type ?? "object"];
  if (!types.includes("object"))
    return `Its arguments would be ${articled(textOf(type))}, but tools take named arguments.`;
  return { ...rest, type: "object", ...readProperties(properties), ...readRequired(required) };
}

function articled(type: string): string {
  const short = type.slice(0, 40);
  return /^[aeio]/.test(short) ? `an ${short}` : `a ${short}`;
}

/** Some languages write an object without entries as an empty list. */
function readProperties(properties: unknown): JsonObject {
  if (properties === undefined || properties === null) return {};
  if (!isObject(properties)) return { properties: {} };
  return {
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, readProperty(value)])),
  };
}

const TYPES = ["string", "number", "integer", "boolean", "array", "object"];

function readProperty(value: unknown): unknown {
  if (isObject(value)) return value;
  if (typeof value !== "string") return {};
  return TYPES.includes(value) ? { type: value } : { description: value };
}

function readRequired(required: unknown): JsonObject {
  if (!Array.isArray(required)) return {};
  return { required: required.filter((name) => typeof name === "string") };
}
