/** The position of a line of YAML: the keys that lead to it, and the keys its siblings already use. */
export interface YamlPlace {
  readonly path: readonly string[];
  /** The `name` beside each key of the path, if there is one: it decides which branch of a schema applies. */
  readonly names: readonly (string | null)[];
  readonly siblings: ReadonlySet<string>;
}

interface KeyLine {
  readonly indent: number;
  readonly key: string;
}

/**
 * Reads the keys around a line by their indentation, which also works in a text that does not parse yet. List items
 * count as `[]`. `indent` is the column at which the new key would be.
 */
export function yamlPlace(lines: readonly string[], lineIndex: number, indent: number): YamlPlace {
  const path: string[] = [];
  const names: (string | null)[] = [];
  let within = indent;
  for (let index = lineIndex - 1; index >= 0 && within > 0; index -= 1) {
    const line = readLine(lines[index] ?? "");
    if (line === null || line.indent >= within) continue;
    path.unshift(line.key);
    names.unshift(itemName(lines, index, line.indent));
    within = line.indent;
  }
  return { path, names, siblings: siblingsOf(lines, lineIndex, indent) };
}

/** The value of `name` among a line's sibling keys: `- name: x` above it counts. */
function itemName(lines: readonly string[], lineIndex: number, indent: number): string | null {
  const entries = lines
    .slice(0, lineIndex)
    .reverse()
    .map(readEntry)
    .filter((entry) => entry !== null);
  const end = entries.findIndex(({ at, isFirst }) => at < indent || (at === indent && isFirst));
  const beside = end < 0 ? entries : entries.slice(0, end + 1);
  return beside.find(({ at, key }) => at === indent && key === "name")?.value ?? null;
}

/** A key with its plain value; `at` is the key's column, and the first key of a list item follows the dash. */
function readEntry(text: string) {
  const found = /^(\s*)(- +)?([\w-]+):\s*"?([\w.-]*)/.exec(text);
  if (!found) return null;
  const [, space = "", dash = "", key = "", value = ""] = found;
  return { at: space.length + dash.length, isFirst: dash !== "", key, value };
}

function siblingsOf(lines: readonly string[], lineIndex: number, indent: number): Set<string> {
  const above = lines.slice(0, lineIndex).reverse();
  const below = lines.slice(lineIndex + 1);
  return new Set([...keysUntilOutdent(above, indent), ...keysUntilOutdent(below, indent)]);
}

function keysUntilOutdent(texts: readonly string[], indent: number): string[] {
  const lines = texts.map(readLine).filter((line) => line !== null);
  const end = lines.findIndex((line) => line.indent < indent);
  const within = end < 0 ? lines : lines.slice(0, end);
  return within.filter((line) => line.indent === indent).map((line) => line.key);
}

/** Null for blanks, comments and lines without a key. */
function readLine(text: string): KeyLine | null {
  const item = /^(\s*)- ?/.exec(text);
  const key = /^(\s*)(?:- +)?"?([\w$.-]+)"?\s*:(?:\s|$)/.exec(text);
  if (key && !item) return { indent: (key[1] ?? "").length, key: key[2] ?? "" };
  return item ? { indent: (item[1] ?? "").length, key: "[]" } : null;
}

type Schema = Readonly<Record<string, unknown>>;

/** The schemas that may apply at a path: every branch of `anyOf` and the like, references followed. */
export function schemasAt(root: Schema, path: readonly string[], names: readonly (string | null)[] = []): Schema[] {
  return path.reduce(
    (schemas, key, index) =>
      schemas.filter((schema) => isNamed(schema, names[index] ?? null)).flatMap((schema) => step(root, schema, key)),
    branches(root, root),
  );
}

/** Whether a schema applies to a mapping with this name: many are for one name only. */
function isNamed(schema: Schema, name: string | null): boolean {
  const own = asSchema(asSchema(schema.properties)?.name)?.const;
  return name === null || own === undefined || own === name;
}

function step(root: Schema, schema: Schema, key: string): Schema[] {
  if (key === "[]") return branches(root, schema.items);
  const properties = asSchema(schema.properties);
  return branches(root, properties?.[key] ?? schema.additionalProperties);
}

function branches(root: Schema, value: unknown, depth = 0): Schema[] {
  const schema = asSchema(value);
  if (!schema || depth > 8) return [];
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const target = typeof schema.$ref === "string" ? follow(root, schema.$ref) : null;
  return [schema, ...[...parts, target].flatMap((part) => branches(root, part, depth + 1))];
}

function follow(root: Schema, reference: string): unknown {
  const parts = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  return parts.reduce<unknown>((value, part) => asSchema(value)?.[part], root);
}

function asSchema(value: unknown): Schema | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : null;
}

/** A completion. `detail` is its type or default, `info` the schema's description. */
export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  readonly info: string | null;
}

export function keySuggestions(schemas: readonly Schema[], used: ReadonlySet<string>): Suggestion[] {
  const entries = schemas.flatMap((schema) => Object.entries(asSchema(schema.properties) ?? {}));
  const unique = new Map(entries.filter(([key]) => !used.has(key)));
  return [...unique].map(([label, value]) => ({ label, detail: typeText(value), info: description(value) }));
}

export function valueSuggestions(schemas: readonly Schema[]): Suggestion[] {
  const words = schemas.flatMap((schema) => {
    if (Array.isArray(schema.enum)) return schema.enum.map(String);
    if ("const" in schema) return [String(schema.const)];
    if (schema.type === "boolean") return ["true", "false"];
    return schema.type === "null" ? ["null"] : [];
  });
  return [...new Set(words)].map((label) => ({ label, detail: "", info: null }));
}

function typeText(value: unknown): string {
  const schema = asSchema(value);
  if (schema === null) return "";
  if (schema.default !== undefined) return `default ${JSON.stringify(schema.default)}`.slice(0, 40);
  return typeof schema.type === "string" ? schema.type : "";
}

function description(value: unknown): string | null {
  const text = asSchema(value)?.description;
  return typeof text === "string" ? text : null;
}
