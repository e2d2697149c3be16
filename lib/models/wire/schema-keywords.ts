type Schema = Readonly<Record<string, unknown>>;

const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);
/** What programs write that know other types, where there is no doubt. */
const OTHER_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    str: "string",
    text: "string",
    int: "integer",
    long: "integer",
    float: "number",
    double: "number",
    decimal: "number",
    bool: "boolean",
    list: "array",
    tuple: "array",
    dict: "object",
    map: "object",
    none: "null",
  }),
);

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isFlag = (value: unknown) => typeof value === "boolean";
const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0;

/** The values that the standard gives these keywords. */
const ACCEPTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  pattern: isText,
  format: isText,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: isFlag,
  nullable: isFlag,
  enum: isFilledList,
  anyOf: isFilledList,
  oneOf: isFilledList,
  allOf: isFilledList,
  prefixItems: isFilledList,
};

/**
 * The schema without values that the standard does not know, or that it forbids: a provider that checks schemas refuses
 * the whole request for one.
 */
export function soundKeywords(given: Schema): Record<string, unknown> {
  const sound: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(withoutOldBounds(given))) {
    const written = key === "type" ? soundType(value) : key === "enum" ? distinct(value) : value;
    if (written !== undefined && written !== null && (ACCEPTED[key]?.(written) ?? true)) sound[key] = written;
  }
  return sound;
}

/** Up to the fourth draft, a bound's exclusiveness was a flag beside it. */
function withoutOldBounds(given: Schema): Schema {
  const bounds: Record<string, unknown> = {};
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (given[flag] !== true || !isNumber(given[bound])) continue;
    bounds[flag] = given[bound];
    bounds[bound] = undefined;
  }
  return { ...given, ...bounds };
}

function soundType(value: unknown): unknown {
  const types = [...new Set([value].flat().flatMap((type) => knownType(type) ?? []))];
  if (types.length === 0) return undefined;
  return Array.isArray(value) && value.length > 1 ? types : types[0];
}

function knownType(type: unknown): string | undefined {
  if (typeof type !== "string") return undefined;
  const name = type.toLowerCase();
  return TYPES.has(name) ? name : OTHER_TYPES.get(name);
}

function distinct(values: unknown): unknown {
  if (!Array.isArray(values)) return undefined;
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...byText.values()];
}
