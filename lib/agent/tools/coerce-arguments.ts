type JsonObject = Record<string, unknown>;
type TypeName = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

export interface CoercedArguments {
  readonly args: JsonObject;
  /** Where something was read as another type, such as `items.0.count`. */
  readonly paths: readonly string[];
}

/**
 * Arguments in which text is read as the number, boolean, list or object that the schema wants there, and null as left
 * out; only where the schema forbids text (or null), only if the text reads as exactly that, and only if all of it then
 * fits. Null if they already fit, or do not fit either way.
 */
export function coerceArguments(
  args: JsonObject,
  schema: JsonObject,
  isValid: (args: JsonObject) => boolean,
): CoercedArguments | null {
  if (isValid(args)) return null;
  const coercion = new Coercion(schema);
  const coerced = coercion.read(args, [schema], { path: [], depth: 0 });
  if (coercion.paths.length === 0 || !isObject(coerced) || !isValid(coerced)) return null;
  return { args: coerced, paths: coercion.paths };
}

interface Place {
  readonly path: readonly string[];
  readonly depth: number;
}

const DEEPEST = 30;
const LONGEST_NUMBER = 40;

class Coercion {
  readonly paths: string[] = [];

  private readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** The value as the schemas want it; any of them may apply. */
  read(value: unknown, schemas: readonly JsonObject[], place: Place): unknown {
    if (place.depth > DEEPEST) return value;
    const branches = schemas.flatMap((schema) => this.#branches(schema, 0));
    if (typeof value === "string") return this.#readText(value, branches, place);
    if (Array.isArray(value)) return this.#readItems(value, branches, place);
    return isObject(value) ? this.#readProperties(value, branches, place) : value;
  }

  #readText(text: string, branches: readonly JsonObject[], place: Place): unknown {
    const types = typesOf(branches);
    if (types === "any" || types.has("string")) return text;
    const read = readAs(text, types);
    if (read === undefined) return text;
    this.paths.push(place.path.join("."));
    return this.read(read, branches, { ...place, depth: place.depth + 1 });
  }

  #readItems(items: readonly unknown[], branches: readonly JsonObject[], { path, depth }: Place): unknown[] {
    const schemas = branches.map(({ items: schema }) => schema).filter(isObject);
    if (schemas.length === 0) return [...items];
    return items.map((item, index) => this.read(item, schemas, { path: [...path, String(index)], depth: depth + 1 }));
  }

  #readProperties(value: JsonObject, branches: readonly JsonObject[], { path, depth }: Place): JsonObject {
    const read: JsonObject = {};
    for (const [name, given] of Object.entries(value)) {
      const place = { path: [...path, name], depth: depth + 1 };
      const schemas = branches.map((branch) => propertyOf(branch, name)).filter(isObject);
      if (given === null && this.#isLeftOut(name, schemas, branches)) this.paths.push(place.path.join("."));
      else setOwn(read, name, schemas.length === 0 ? given : this.read(given, schemas, place));
    }
    return read;
  }

  /** Null for an optional field that forbids it. */
  #isLeftOut(name: string, schemas: readonly JsonObject[], branches: readonly JsonObject[]): boolean {
    if (schemas.length === 0) return false;
    const types = typesOf(schemas.flatMap((schema) => this.#branches(schema, 0)));
    if (types === "any" || types.has("null")) return false;
    return branches.every(({ required }) => !Array.isArray(required) || !required.includes(name));
  }

  /** The schema with its references followed, as the alternatives that it allows. */
  #branches(schema: JsonObject, depth: number): JsonObject[] {
    if (depth > DEEPEST) return [];
    const target = this.#follow(schema);
    const inner = (list: unknown): JsonObject[] =>
      (Array.isArray(list) ? list : []).filter(isObject).flatMap((entry) => this.#branches(entry, depth + 1));
    const all = inner(target.allOf);
    const own = mergeAll([target, ...all]);
    const alternatives = [...inner(target.anyOf), ...inner(target.oneOf)];
    return alternatives.length === 0 ? [own] : alternatives.map((entry) => mergeAll([own, entry]));
  }

  #follow(schema: JsonObject): JsonObject {
    let current = schema;
    for (let hops = 0; hops < DEEPEST && typeof current.$ref === "string"; hops++) {
      const found = this.#find(current.$ref);
      if (!found) return {};
      const { $ref: _, ...beside } = current;
      current = { ...found, ...beside };
    }
    return current;
  }

  #find(reference: string): JsonObject | undefined {
    if (!reference.startsWith("#")) return undefined;
    let current: unknown = this.root;
    for (const part of reference.split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      current = isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
    }
    return isObject(current) ? current : undefined;
  }
}

function mergeAll(schemas: readonly JsonObject[]): JsonObject {
  const properties: JsonObject = Object.assign({}, ...schemas.map((schema) => schema.properties).filter(isObject));
  const required = schemas.flatMap((schema) => (Array.isArray(schema.required) ? schema.required : []));
  const rest: JsonObject = Object.assign({}, ...schemas);
  return { ...rest, properties, required };
}

function propertyOf({ properties, additionalProperties }: JsonObject, name: string): JsonObject | undefined {
  const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return isObject(own) ? own : undefined;
}

/** The types that any of the schemas allows. */
function typesOf(schemas: readonly JsonObject[]): "any" | ReadonlySet<TypeName> {
  const types = new Set<TypeName>();
  for (const schema of schemas) {
    const allowed = allowedTypes(schema);
    if (allowed === null) return "any";
    for (const type of allowed) types.add(type);
  }
  return schemas.length === 0 ? "any" : types;
}

/** Null: no restriction. */
function allowedTypes(schema: JsonObject): readonly TypeName[] | null {
  const { type, enum: values, properties, items } = schema;
  if (typeof type === "string") return [...(schema.nullable === true ? ["null" as const] : []), type as TypeName];
  if (Array.isArray(type)) return type as TypeName[];
  if (Array.isArray(values)) return values.map(typeOf);
  if ("const" in schema) return [typeOf(schema.const)];
  if (isObject(items)) return ["array"];
  return isObject(properties) && Object.keys(properties).length > 0 ? ["object"] : null;
}

function typeOf(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as TypeName;
}

/** What the text says, if it says exactly that; undefined if it doesn't. */
function readAs(text: string, types: ReadonlySet<TypeName>): unknown {
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if (types.has("number") || types.has("integer")) {
    const number = readNumber(text, types.has("number"));
    if (number !== undefined) return number;
  }
  if (types.has("array") && /^\s*\[/.test(text)) return readList(text);
  return types.has("object") && /^\s*\{/.test(text) ? readObject(text) : undefined;
}

/** No digit may be lost: "007" and "1e3" stay text. */
function readNumber(text: string, mayBeFraction: boolean): number | undefined {
  if (text.length > LONGEST_NUMBER) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || String(number) !== text) return undefined;
  return Number.isSafeInteger(number) || (mayBeFraction && !Number.isInteger(number)) ? number : undefined;
}

function readList(text: string): unknown[] | undefined {
  const value = readJson(text);
  return Array.isArray(value) ? value : undefined;
}

function readObject(text: string): JsonObject | undefined {
  const value = readJson(text);
  return isObject(value) ? value : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field named `__proto__` is one like any other. */
function setOwn(target: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
