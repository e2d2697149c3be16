type Schema = Readonly<Record<string, unknown>>;

/**
 * A schema as Google takes it, in which every part says its type: Moonshot refuses one that does not, and a type beside
 * alternatives, which must have their own.
 */
export function typedSchema(schema: Schema): Schema {
  const { nullable: _, properties, items, anyOf, ...rest } = schema;
  const inner = {
    ...(isObject(properties) ? { properties: mapped(properties) } : {}),
    ...(isObject(items) ? { items: typedSchema(items) } : {}),
  };
  const alternatives = Array.isArray(anyOf) && !isObject(properties) ? anyOf.filter(isObject) : [];
  if (alternatives.length === 0) return { ...rest, type: typeOf(schema), ...inner };
  const { type, ...shared } = rest;
  const typed = alternatives.map((alternative) =>
    typedSchema(type === undefined ? alternative : { type, ...alternative }),
  );
  return typed.length === 1 ? { ...typed[0], ...shared } : { ...shared, anyOf: typed };
}

/** What may be anything is text: a tool that wants something else finds it there. */
function typeOf({ type, properties, items }: Schema): unknown {
  if (type !== undefined) return type;
  return isObject(properties) ? "object" : isObject(items) ? "array" : "string";
}

function mapped(schemas: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, typedSchema(isObject(schema) ? schema : {})]),
  );
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
