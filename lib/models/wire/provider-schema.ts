import type { Traits } from "@/lib/schema/dialect";
import { renamed, sentNames } from "./argument-names";
import { soundKeywords } from "./schema-keywords";
import { typedSchema } from "./typed-schema";

type Schema = Readonly<Record<string, unknown>>;
type Arguments = Record<string, unknown>;
type Flavour = Traits["schemas"];

interface Written {
  readonly schema: Schema;
  /** The own names of arguments that are sent under another. */
  readonly ownNames: ReadonlyMap<string, string>;
}

const known = new WeakMap<Schema, Map<Flavour, Written>>();
const OWN_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * A tool's parameters as a provider takes them. Valid JSON Schemas are refused by most: an object without `properties`,
 * a list without `items`, alternatives at the top, a name with a space. What was accepted and hashed is not changed.
 */
export function providerSchema(parameters: Schema, flavour: Flavour): Schema {
  return flavour === "any" ? parameters : written(parameters, flavour).schema;
}

/** The own names of the arguments that a provider is sent under others, by the sent name. */
export function ownNames(parameters: Schema, flavour: Flavour): ReadonlyMap<string, string> {
  return flavour === "any" ? OWN_NAMES : written(parameters, flavour).ownNames;
}

/** A call's arguments under their own names; those that a model has seen in earlier calls stay as they are. */
export function ownArguments(args: Arguments, parameters: Schema, flavour: Flavour): Arguments {
  const names = ownNames(parameters, flavour);
  return Object.keys(args).some((name) => names.has(name)) ? renamed(args, names) : args;
}

function written(parameters: Schema, flavour: Exclude<Flavour, "any">): Written {
  const byFlavour = known.get(parameters) ?? new Map<Flavour, Written>();
  const schema = byFlavour.get(flavour) ?? withSentNames(schemaIn(parameters, flavour));
  byFlavour.set(flavour, schema);
  known.set(parameters, byFlavour);
  return schema;
}

function schemaIn(parameters: Schema, flavour: Exclude<Flavour, "any">): Schema {
  if (flavour !== "typed") return new SchemaWriter(parameters, flavour).writeTop();
  return { properties: {}, ...typedSchema(new SchemaWriter(parameters, "google").writeTop()) };
}

function withSentNames(schema: Schema): Written {
  const properties = propertiesOf(schema);
  const sent = sentNames(Object.keys(properties));
  if (sent.size === 0) return { schema, ownNames: OWN_NAMES };
  const required = namesIn(schema.required).map((name) => sent.get(name) ?? name);
  return {
    schema: { ...schema, properties: renamed(properties, sent), ...(required.length > 0 ? { required } : {}) },
    ownNames: new Map([...sent].map(([own, name]) => [name, own])),
  };
}

const ALTERNATIVES = ["anyOf", "oneOf"] as const;
/** Of no use to a model, and unknown to some servers. */
const NOTES = new Set([
  ...["$schema", "$id", "$comment", "$anchor", "$vocabulary", "readOnly", "writeOnly", "deprecated"],
  ...["$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"],
]);
/** Every server that takes references finds these. */
const PLAIN_REFERENCE = /^#(?:\/(?:\$defs|definitions)\/[\w.-]+)?$/;
const SCHEMAS_BY_NAME = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
const SCHEMA_LISTS = new Set(["prefixItems", "anyOf", "oneOf", "allOf"]);
/** Each may also be true or false. */
const SCHEMAS = new Set([
  ...["additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems"],
  ...["contains", "not", "if", "then", "else"],
]);
/** What the compatible endpoint of Gemini takes. */
const FOR_GOOGLE = new Set([
  "type",
  "description",
  "title",
  "enum",
  "format",
  "items",
  "properties",
  "required",
  "nullable",
  "anyOf",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
]);
const GOOGLE_FORMATS = new Set(["date-time", "enum", "int32", "int64", "float", "double"]);
/** Servers that turn schemas into grammars stumble over these. */
const NOT_PLAIN = new Set(["pattern", "format", "not", "if", "then", "else", "patternProperties", "propertyNames"]);
const DEEPEST = 40;
/** References that are written out may multiply. */
const MOST_SCHEMAS = 2_000;
/** How often one is written out within itself: Google refuses what nests deeply. */
const MOST_WITHIN_ITSELF = 2;
const MOST_PARTS = 5;

class SchemaWriter {
  #count = 0;
  /** The references that are being written out. */
  readonly #within: string[] = [];
  private readonly root: Schema;
  private readonly flavour: Exclude<Flavour, "any" | "typed">;

  constructor(root: Schema, flavour: Exclude<Flavour, "any" | "typed">) {
    this.root = root;
    this.flavour = flavour;
  }

  /** The top must be an object without alternatives: theirs are all allowed. */
  writeTop(): Schema {
    const flat = flattened(this.#followed(this.root), (schema) => this.#followed(schema));
    const { properties, required, $ref: _, ...rest } = flat;
    const written = this.#write({ ...rest, type: "object", properties, required }, 0);
    return { ...written, type: "object" };
  }

  #write(given: unknown, depth: number): Schema {
    if (!isObject(given) || depth > DEEPEST || this.#isTooMuch()) return {};
    const reference = typeof given.$ref === "string" && !this.#isKept(given.$ref) ? given.$ref : null;
    if (reference === null) return this.#writeOne(given, depth);
    if (this.#within.filter((one) => one === reference).length >= MOST_WITHIN_ITSELF) {
      return this.#completed({ type: "object" }, depth);
    }
    this.#within.push(reference);
    const { $ref: _, ...followed } = this.#followed(given);
    const written = this.#writeOne(followed, depth);
    this.#within.pop();
    return written;
  }

  #isTooMuch(): boolean {
    return this.#within.length > 0 && this.#count++ > MOST_SCHEMAS;
  }

  /** Whether a reference stays one; the others are written out. */
  #isKept(reference: string): boolean {
    return this.flavour !== "google" && PLAIN_REFERENCE.test(reference) && this.#find(reference) !== undefined;
  }

  #writeOne(given: Schema, depth: number): Schema {
    const schema = soundKeywords(this.flavour === "google" ? forGoogle(this.#inlined(soundKeywords(given))) : given);
    const written: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (!this.#isLeftOut(key)) written[key] = this.#value(key, value, depth);
    }
    return this.#completed(written, depth);
  }

  #isLeftOut(key: string): boolean {
    if (this.flavour === "google") return !FOR_GOOGLE.has(key);
    return NOTES.has(key) || (this.flavour === "plain" && NOT_PLAIN.has(key));
  }

  #value(key: string, value: unknown, depth: number): unknown {
    const written = (schema: unknown) => (Array.isArray(schema) ? schema : this.#write(schema, depth + 1));
    if (SCHEMAS_BY_NAME.has(key)) return isObject(value) ? mapped(value, written) : {};
    if (SCHEMA_LISTS.has(key)) return Array.isArray(value) ? value.map(written) : value;
    if (SCHEMAS.has(key)) return isObject(value) ? written(value) : value;
    return key === "items" ? this.#items(value, depth) : value;
  }

  /** A list of schemas, one per place, becomes their alternatives. */
  #items(value: unknown, depth: number): unknown {
    if (!Array.isArray(value)) return this.#write(value, depth + 1);
    const [first, ...others] = value.map((entry) => this.#write(entry, depth + 1));
    return others.length === 0 ? (first ?? {}) : { anyOf: [first, ...others] };
  }

  #completed(written: Record<string, unknown>, depth: number): Schema {
    const isReference = written.$ref !== undefined && depth > 0;
    if (isObject(written.properties) && !isReference) written.type ??= "object";
    if (hasType(written, "object") && !isReference) written.properties ??= {};
    if (hasType(written, "array")) written.items ??= this.flavour === "google" ? { type: "string" } : {};
    const { required, ...rest } = written;
    const { properties } = rest;
    // Google refuses an inner object without properties, and takes one of which it is not told any.
    if (this.flavour === "google" && depth > 0 && Object.keys(propertiesOf(rest)).length === 0) delete rest.properties;
    const isNamed = (name: string) =>
      properties === undefined ? this.flavour !== "google" : isNameOf(properties, name);
    const names = [...new Set(namesIn(required))].filter(isNamed);
    return names.length > 0 ? { ...rest, required: names } : rest;
  }

  #followed(schema: Schema): Schema {
    let current = schema;
    for (let hops = 0; hops < DEEPEST && typeof current.$ref === "string"; hops++) {
      const { $ref, ...beside } = current;
      current = { ...this.#find(String($ref)), ...beside };
    }
    return current;
  }

  /** References written out; one within itself ends at the depth limit. */
  #inlined(schema: Schema): Schema {
    return flattenedAll(this.#followed(schema), (inner) => this.#followed(inner));
  }

  /** What a reference names within the schema; undefined if it is elsewhere or nowhere. */
  #find(reference: string): Schema | undefined {
    const { $id: address, $defs, definitions } = this.root;
    const place =
      typeof address === "string" && reference.startsWith(address) ? reference.slice(address.length) : reference;
    if (place === "#" || (place === "" && reference !== "")) return this.root;
    if (!place.startsWith("#/")) {
      const named = [$defs, definitions].flatMap((schemas) => (isObject(schemas) ? Object.values(schemas) : []));
      return named.filter(isObject).find(({ $anchor, $id }) => place === `#${$anchor}` || place === $id);
    }
    let current: unknown = this.root;
    for (const part of place.split("/").slice(1)) {
      const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      const isThere = typeof current === "object" && current !== null && Object.hasOwn(current, name);
      current = isThere ? (current as Schema)[name] : undefined;
    }
    return isObject(current) ? current : undefined;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Follow = (schema: Schema) => Schema;

/** The schema with the properties of its alternatives and parts; only what all alternatives require is required. */
function flattened(schema: Schema, follow: Follow, depth = 0): Schema {
  if (depth > MOST_PARTS) return {};
  const { anyOf: _a, oneOf: _o, allOf: _p, not: _n, enum: _e, const: _c, ...rest } = flattenedAll(schema, follow);
  const alternatives = ALTERNATIVES.flatMap((key) => schemasIn(schema[key])).map((entry) =>
    flattened(follow(entry), follow, depth + 1),
  );
  if (alternatives.length === 0) return rest;
  const shared = namesIn(alternatives[0]?.required).filter((name) =>
    alternatives.every(({ required }) => namesIn(required).includes(name)),
  );
  return {
    ...rest,
    properties: Object.assign({}, ...alternatives.map(propertiesOf), propertiesOf(rest)),
    required: [...new Set([...namesIn(rest.required), ...shared])],
  };
}

function flattenedAll(schema: Schema, follow: Follow, depth = 0): Schema {
  if (depth > MOST_PARTS) return {};
  const parts = schemasIn(schema.allOf).map((entry) => flattenedAll(follow(entry), follow, depth + 1));
  if (parts.length === 0) return schema;
  const { allOf: _, ...own } = schema;
  const joined = { ...Object.assign({}, ...parts), ...own };
  if (![...parts, own].some(({ properties, required }) => properties ?? required)) return joined;
  return {
    ...joined,
    properties: Object.assign({}, ...parts.map(propertiesOf), propertiesOf(own)),
    required: [...new Set([...parts, own].flatMap(({ required }) => namesIn(required)))],
  };
}

function forGoogle({ const: only, oneOf, type, ...schema }: Schema): Schema {
  const given = oneOf ?? schema.anyOf;
  const anyOf = Array.isArray(given) ? given.filter((entry) => !isNull(entry)) : undefined;
  const types = [type].flat().filter((name) => name !== "null");
  const values = only === undefined ? schema.enum : [only];
  const isNullable =
    [type].flat().includes("null") ||
    (Array.isArray(given) && given.some(isNull)) ||
    (Array.isArray(values) && values.includes(null));
  const isText = Array.isArray(values) || schema.format !== undefined;
  return {
    ...schema,
    ...(types.length > 1 ? eitherOf(types, schema) : { type: types[0], anyOf }),
    ...(isNullable ? { nullable: true } : {}),
    ...(Array.isArray(values) ? { type: "string", enum: wordsIn(values) } : {}),
    ...(isText && !GOOGLE_FORMATS.has(String(schema.format)) ? { format: undefined } : {}),
  };
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema.type === "null" || schema.const === null);
}

/** One alternative for each type, with what belongs to it. */
function eitherOf(types: readonly unknown[], { items, properties, required }: Schema): Schema {
  const own: Readonly<Record<string, Schema>> = { array: { items }, object: { properties, required } };
  const anyOf = types.map((type) => ({ type, ...own[String(type)] }));
  return { anyOf, items: undefined, properties: undefined, required: undefined };
}

/** Google takes only words, none of them empty. */
function wordsIn(values: readonly unknown[]): string[] {
  const words = values
    .filter((value) => value !== null)
    .map((value) => (isObject(value) ? JSON.stringify(value) : String(value)));
  return words.filter((word) => word !== "");
}

function schemasIn(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function propertiesOf({ properties }: Schema): Schema {
  return isObject(properties) ? properties : {};
}

function mapped(values: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

function hasType({ type }: Schema, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function isNameOf(properties: unknown, name: unknown): boolean {
  return typeof name === "string" && isObject(properties) && Object.hasOwn(properties, name);
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
