import { z } from "zod";
import type { RemoteProviderId } from "./provider-settings";

type Fields = Readonly<Record<string, unknown>>;

/** The fields in which servers put their list. */
const LIST_FIELDS = [
  ...["data", "models", "items", "results", "value", "result"],
  ...["list", "model_list", "modelList", "response", "payload", "output"],
];
/** Fields that hold an id and nothing else. */
const OWN_ID_FIELDS = ["id", "model", "model_id", "modelId"];
const ID_FIELDS = [
  ...OWN_ID_FIELDS.slice(0, 2),
  "name",
  "model_name",
  ...OWN_ID_FIELDS.slice(2),
  "modelName",
  "slug",
  "key",
];
const LONGEST_ID = 300;
const DEEPEST = 4;

/**
 * The names in an answer, in its order: of a list in any envelope, by id, or in groups (by provider, by kind). Undefined
 * if it is no list of models.
 */
export function readModelList(kind: RemoteProviderId, body: unknown): string[] | undefined {
  const list = listIn(body, 0);
  // A failure beside an empty list is no empty list.
  if (list?.length === 0 && isObject(body) && body.error) return undefined;
  if (kind === "google") return list?.filter(canGenerate).flatMap((entry) => googleName(entry) ?? []);
  const names = list && [...new Set(list.flatMap((entry) => idOf(entry) ?? []))];
  // Entries of which none can be read are no list of models.
  return names?.length === 0 && list?.length !== 0 ? undefined : names;
}

/** The entries in an answer, of all its groups; undefined if there is no list. */
function listIn(value: unknown, depth: number): readonly unknown[] | undefined {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.flatMap((entry) => groupIn(entry, depth) ?? [entry]);
  if (!isObject(value)) return undefined;
  for (const field of LIST_FIELDS) {
    const found = listIn(value[field], depth + 1);
    if (found) return found;
  }
  // An empty list that is null.
  if (value.data === null || value.models === null) return [];
  const byName = value.data ?? value.models ?? (depth === 0 && isByName(value) ? value : undefined);
  return isObject(byName) ? Object.entries(byName).flatMap((entry) => entriesNamed(entry, depth)) : undefined;
}

/** What stands under a name: the entries of a group, or the facts of one model. */
function entriesNamed([name, facts]: readonly [string, unknown], depth: number): readonly unknown[] {
  const group = Array.isArray(facts) ? listIn(facts, depth + 1) : groupIn(facts, depth);
  if (group) return group;
  // Some writers make an object of a list.
  const isIndex = /^\d{1,6}$/.test(name);
  return [{ id: (isIndex ? idOf(facts) : idIn(facts, OWN_ID_FIELDS)) ?? name }];
}

/** The entries of a group of models; undefined for a model, which may name others, such as those that replace it. */
function groupIn(entry: unknown, depth: number): readonly unknown[] | undefined {
  if (!isObject(entry)) return undefined;
  const { models } = entry;
  const members =
    LIST_FIELDS.map((field) => entry[field]).find(Array.isArray) ?? (isObject(models) ? { models } : undefined);
  if (members === undefined) return undefined;
  const areModels = !Array.isArray(members) || (members.length > 0 && members.every(isObject));
  return areModels || idIn(entry, OWN_ID_FIELDS) === undefined ? listIn(members, depth + 1) : undefined;
}

const MODEL_FIELDS = [
  ...ID_FIELDS,
  ...["object", "owned_by", "created", "mode", "litellm_provider", "models", "pricing", "type", "provider"],
  ...["context", "context_length", "context_window", "max_tokens", "max_input_tokens", "capabilities"],
];

/** Whether the fields are named for models or groups of them, and hold what is known of those. */
function isByName(fields: Fields): boolean {
  const entries = Object.entries(fields);
  if (entries.length === 0 || "error" in fields || "detail" in fields) return false;
  return entries.every(([, facts]) => isObject(facts) && MODEL_FIELDS.some((fact) => fact in facts));
}

/** Undefined for entries without a usable id, which are passed over. */
function idOf(entry: unknown): string | undefined {
  return typeof entry === "string" ? usable(entry) : idIn(entry, ID_FIELDS);
}

function idIn(entry: unknown, fields: readonly string[]): string | undefined {
  if (!isObject(entry)) return undefined;
  const { model } = entry;
  return (
    fields.map((field) => usable(entry[field])).find((id) => id !== undefined) ??
    (isObject(model) ? idIn(model, fields) : undefined)
  );
}

function usable(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text !== "" && text.length <= LONGEST_ID && !/\p{Cc}/u.test(text) ? text : undefined;
}

const GoogleModel = z.object({ supportedGenerationMethods: z.array(z.string()).optional() });

function canGenerate(entry: unknown): boolean {
  const facts = GoogleModel.safeParse(entry);
  return !facts.success || (facts.data.supportedGenerationMethods?.includes("generateContent") ?? true);
}

function googleName(entry: unknown): string | undefined {
  const name = isObject(entry) ? entry.name : undefined;
  return typeof name === "string" ? name.replace(/^models\//, "") : idOf(entry);
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
