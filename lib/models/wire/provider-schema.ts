import type { Traits } from "@/lib/schema/dialect";

type Schema = Readonly<Record<string, unknown>>;
type Flavour = Traits["schemas"];

const known = new WeakMap<Schema, Map<Flavour, Schema>>();

/**
 * A tool's parameters as a provider takes them. Valid JSON Schemas are refused by most: an object without `properties`,
 * a list without `items`, alternatives at the top. What was accepted and hashed is not changed.
 */
export function providerSchema(parameters: Schema, flavour: Flavour): Schema {
  if (flavour === "any") return parameters;
  const byFlavour = known.get(parameters) ?? new Map<Flavour, Schema>();
  const written = byFlavour.get(flavour) ?? new SchemaWriter(parameters, flavour).writeTop();
  byFlavour.set(flavour, written);
  known.set(parameters, byFlavour);
  return written;
}

const ALTERNATIVES = ["anyOf", "oneOf"] as const;
/** Of no use to a model, and unknown to some servers. */
const NOTES = new Set(["$schema", "$id", "$comment", "$anchor", "$vocabulary", "readOnly", "writeOnly", "deprecated"]);
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
  private readonly flavour: Flavour;

  constructor(root: Schema, flavour: Flavour) {
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
    if (!isObject(given) || depth > DEEPEST || this.#count++ > MOST_SCHEMAS) return {};
    const reference = this.flavour === "google" && typeof given.$ref === "string" ? given.$ref : null;
    if (reference === null) return this.#writeOne(given, depth);
    if (this.#within.filter((one) => one === reference).length >= MOST_WITHIN_ITSELF) return { type: "object" };
    this.#within.push(reference);
    const written = this.#writeOne(given, depth);
    this.#within.pop();
    return written;
  }

  #writeOne(given: Schema, depth: number): Schema {
    const schema = this.flavour === "google" ? forGoogle(this.#inlined(given)) : given;
    const written: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (value !== undefined && value !== null && !this.#isLeftOut(key)) written[key] = this.#value(key, value, depth);
    }
    return this.#completed(written, depth);
  }

  #isLeftOut(key: string): boolean {
    if (this.flavour === "google") return !FOR_GOOGLE.has(key);
    return NOTES.has(key) || (this.flavour === "plain" && NOT_PLAIN.has(key));
  }

  #value(key: string, value: unknown, depth: number): unknown {
    switch (key) {
      case "properties":
      case "$defs":
      case "definitions":
        return isObject(value) ? mapped(value, (inner) => this.#write(inner, depth + 1)) : {};
      case "items":
        return this.#items(value, depth);
      case "prefixItems":
      case "anyOf":
      case "oneOf":
      case "allOf":
        return Array.isArray(value) ? value.map((entry) => this.#write(entry, depth + 1)) : value;
      case "additionalProperties":
      case "not":
        return isObject(value) ? this.#write(value, depth + 1) : value;
      case "type":
        return lowered(value);
      default:
        return value;
    }
  }

  /** A list of schemas, one per place, becomes their alternatives. */
  #items(value: unknown, depth: number): unknown {
    if (!Array.isArray(value)) return this.#write(value, depth + 1);
    const [first, ...others] = value.map((entry) => this.#write(entry, depth + 1));
    return others.length === 0 ? (first ?? {}) : { anyOf: [first, ...others] };
  }

  #completed(written: Record<string, unknown>, depth: number): Schema {
    const isReference = written.$ref !== undefined && depth > 0;
    if (Array.isArray(written.enum) && written.enum.length === 0) delete written.enum;
    if (isObject(written.properties) && !isReference) written.type ??= "object";
    if (hasType(written, "object") && !isReference) written.properties ??= {};
    if (hasType(written, "array")) written.items ??= this.flavour === "google" ? { type: "string" } : {};
    const { required, ...rest } = written;
    const names = namesIn(required).filter((name) => isNameOf(written.properties, name));
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

  #find(reference: string): Schema {
    let current: unknown = this.root;
    for (const part of reference.split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      current = isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
    }
    return reference.startsWith("#") && isObject(current) ? current : {};
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
  const anyOf = oneOf ?? schema.anyOf;
  const types = Array.isArray(type) ? type.filter((name) => name !== "null") : [type];
  const values = only === undefined ? schema.enum : [only];
  const isNullable = (Array.isArray(type) && type.includes("null")) || (Array.isArray(values) && values.includes(null));
  const isText = Array.isArray(values) || schema.format !== undefined;
  return {
    ...schema,
    ...(types.length > 1 ? { anyOf: types.map((name) => ({ type: name })) } : { type: types[0], anyOf }),
    ...(isNullable ? { nullable: true } : {}),
    ...(Array.isArray(values) ? { type: "string", enum: values.filter((value) => value !== null).map(String) } : {}),
    ...(isText && !GOOGLE_FORMATS.has(String(schema.format)) ? { format: undefined } : {}),
  };
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

function lowered(type: unknown): unknown {
  if (typeof type === "string") return type.toLowerCase();
  return Array.isArray(type) ? type.map(lowered) : type;
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
