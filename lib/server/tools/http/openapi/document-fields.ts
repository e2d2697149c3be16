/** Any JSON object of a document. */
export type JsonFields = Record<string, unknown>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The field if it is text; otherwise empty. */
export function textField(fields: JsonFields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value.trim() : "";
}

const MAX_HOPS = 20;

/** What a `$ref` into the document names; the value itself if it is none; undefined if it leads nowhere. */
export function findReference(root: JsonFields, value: unknown): unknown {
  let found = value;
  for (let hop = 0; isFields(found) && typeof found.$ref === "string"; hop += 1) {
    if (hop === MAX_HOPS || !found.$ref.startsWith("#")) return undefined;
    found = atPointer(root, found.$ref.slice(1));
  }
  return found;
}

function atPointer(root: JsonFields, pointer: string): unknown {
  let found: unknown = root;
  for (const step of pointer.split("/").slice(1)) {
    const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(name)];
    else if (isFields(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
