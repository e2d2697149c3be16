import { isObject, type JsonObject } from "./read-message";
import { textOf } from "./read-tool";

/** A prompt that a server offers. */
export interface ReadPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** A resource, or a template of addresses, that a server offers. `name` is what people choose by. */
export interface ReadResource {
  readonly address: string;
  readonly name: string;
  readonly description: string;
  readonly mediaType: string | null;
}

/** Null without a name: nobody could ask for it. */
export function readPrompt(entry: unknown): ReadPrompt | null {
  if (!isObject(entry) || !isWord(entry.name)) return null;
  const description = textOf(entry.description) || textOf(entry.title);
  return {
    name: entry.name,
    description,
    arguments: argumentsOf(entry.arguments).flatMap((one) => readArgument(one) ?? []),
  };
}

/** Some servers name the arguments by keys. */
function argumentsOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (!isObject(given)) return [];
  return Object.entries(given).map(([name, about]) => (isObject(about) ? { name, ...about } : name));
}

function readArgument(entry: unknown): ReadPrompt["arguments"][number] | null {
  if (isWord(entry)) return { name: entry, description: "", required: false };
  if (!isObject(entry) || !isWord(entry.name)) return null;
  return { name: entry.name, description: textOf(entry.description), required: entry.required === true };
}

/** `field` holds the address. Null without one. */
export function readOffer(entry: unknown, field: "uri" | "uriTemplate"): ReadResource | null {
  const given = isWord(entry) ? { [field]: entry } : entry;
  if (!isObject(given)) return null;
  const address = given[field];
  if (!isWord(address)) return null;
  const name = [given.title, given.name, address].find(isWord) ?? address;
  const { mimeType } = given;
  return { address, name, description: textOf(given.description), mediaType: isWord(mimeType) ? mimeType : null };
}

/** A list that may come alone or as its only entry. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** What a resource holds: its text, or the kind of data it is. */
export function readContents({
  uri,
  text,
  blob,
  mimeType,
  ...others
}: JsonObject): { text: string } | { type: string | null } {
  if (typeof text === "string") return { text };
  if (typeof blob === "string") return { type: isWord(mimeType) ? mimeType : null };
  return { text: JSON.stringify(text ?? others) };
}
