import { findReference, isFields, type JsonFields } from "./document-fields";

const MAX_DEPTH = 8;
const MAX_NODES = 2_000;

/** What a schema may say beyond JSON Schema, or what a model does not need. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["xml", "externalDocs", "discriminator", "deprecated", "example", "examples", "nullable", "readOnly", "writeOnly"],
  ...["$schema", "$id", "$anchor", "$comment", "contentMediaType", "contentEncoding", "$defs", "definitions"],
]);
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set(["items", "prefixItems", "allOf", "anyOf", "oneOf", "not"]);
const SCHEMA_MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);

/**
 * A schema of the document as JSON Schema that stands alone: references are replaced by what they name, down to a depth
 * and a size at which anything is accepted (a schema may contain itself), and OpenAPI 3.0's own keywords by today's.
 */
export function inlineSchema(root: JsonFields, schema: unknown): JsonFields {
  const state = { nodes: 0 };
  const found = inline(root, schema, { depth: 0, state });
  return isFields(found) ? found : {};
}

interface Place {
  readonly depth: number;
  readonly state: { nodes: number };
}

function inline(root: JsonFields, given: unknown, place: Place): unknown {
  if (Array.isArray(given)) return given.map((entry) => inline(root, entry, place));
  const schema = findReference(root, given);
  if (!isFields(schema)) return {};
  place.state.nodes += 1;
  if (place.depth > MAX_DEPTH || place.state.nodes > MAX_NODES) return {};
  const inner = { ...place, depth: place.depth + 1 };
  const kept = Object.entries(schema).filter(([name]) => !LEFT_OUT.has(name) && !name.startsWith("x-"));
  return modern(
    Object.fromEntries(kept.map(([name, value]) => [name, inlineKeyword(root, [name, value], inner)])),
    schema,
  );
}

function inlineKeyword(root: JsonFields, [name, value]: readonly [string, unknown], place: Place): unknown {
  if (SCHEMA_MAPS.has(name)) return mapOfSchemas(root, value, place);
  if (name === "required") return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  const isSchema = SCHEMA_KEYWORDS.has(name) || (name === "additionalProperties" && typeof value === "object");
  return isSchema ? inline(root, value, place) : value;
}

function mapOfSchemas(root: JsonFields, map: unknown, place: Place): JsonFields {
  if (!isFields(map)) return {};
  const writable = Object.entries(map).filter(([, value]) => !isReadOnly(findReference(root, value)));
  return Object.fromEntries(writable.map(([name, value]) => [name, inline(root, value, place)]));
}

/** What the service fills in itself is no argument. */
function isReadOnly(schema: unknown): boolean {
  return isFields(schema) && schema.readOnly === true;
}

/** OpenAPI 3.0: `nullable`, and bounds that a boolean excludes. */
function modern(kept: JsonFields, schema: JsonFields): JsonFields {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = kept;
  const bounds: JsonFields = {
    ...bound("minimum", "exclusiveMinimum", minimum, exclusiveMinimum),
    ...bound("maximum", "exclusiveMaximum", maximum, exclusiveMaximum),
  };
  const required = Array.isArray(rest.required) && isFields(rest.properties) ? rest.required : null;
  const properties = isFields(rest.properties) ? rest.properties : {};
  const known = required?.filter((name) => Object.hasOwn(properties, String(name)));
  const result: JsonFields = { ...rest, ...bounds, ...(known === undefined ? {} : { required: known }) };
  if (schema.nullable !== true || typeof result.type !== "string") return result;
  const values = Array.isArray(result.enum) ? { enum: [...new Set([...result.enum, null])] } : {};
  return { ...result, ...values, type: [result.type, "null"] };
}

function bound(inclusive: string, exclusive: string, value: unknown, isExclusive: unknown): JsonFields {
  if (typeof isExclusive === "number") return { [exclusive]: isExclusive, ...numberField(inclusive, value) };
  return numberField(isExclusive === true ? exclusive : inclusive, value);
}

function numberField(name: string, value: unknown): JsonFields {
  return typeof value === "number" ? { [name]: value } : {};
}
