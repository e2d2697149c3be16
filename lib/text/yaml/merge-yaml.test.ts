import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeYaml, writeYaml } from "./merge-yaml";
import { CONFIG_YAML_LIMITS, parseYaml } from "./parse-yaml";

const TEXT = `# The team's assistant.

name: A   # who it is
# Ask Ada before you change it.
model: "demo:demo"
tools:            # only what it needs
  - calculate     # sums

  - ask_user
# How much it may do.
permissions:
  enabled: true
  # Never the secrets.
  deny: [ {tool: read_file, args: {path: "secrets/**"}} ]
system_prompt: >
  You are a careful assistant
  who writes short answers.

# The end.
`;

const fieldsOf = (text: string) => parseYaml(text, CONFIG_YAML_LIMITS).value as Record<string, unknown>;
const change = (fields: Record<string, unknown>, text = TEXT) => mergeYaml(text, { ...fieldsOf(text), ...fields });

test("a text that says the fields already keeps its bytes", () => {
  expect(mergeYaml(TEXT, fieldsOf(TEXT))).toBe(TEXT);
});

test("one changed field changes its own line, and its comment stays", () => {
  expect(change({ name: "B" })).toBe(TEXT.replace("name: A   # who it is", "name: B # who it is"));
  expect(change({ model: "x:y" })).toBe(TEXT.replace("demo:demo", "x:y"));
});

test("a list keeps the comments of the entries that stay, wherever they go", () => {
  const merged = change({ tools: ["ask_user", "calculate", "current_datetime"] });
  expect(merged).toContain("- calculate # sums\n");
  expect(merged).toContain("# only what it needs\n");
  expect(fieldsOf(merged).tools).toEqual(["ask_user", "calculate", "current_datetime"]);
});

test("a change deep inside a field keeps the comments around it", () => {
  const merged = change({ permissions: { enabled: false, deny: [{ tool: "read_file", args: { path: "keys/**" } }] } });
  expect(merged).toContain(
    '  enabled: false\n  # Never the secrets.\n  deny: [ { tool: read_file, args: { path: "keys/**" } } ]',
  );
});

test("a folded text stays folded", () => {
  const long =
    "You are a careful assistant who writes short answers and never more than one hundred characters in a line.\n";
  const merged = change({ system_prompt: long });
  expect(merged).toMatch(/system_prompt: >\n {2}You are .*\n {2}\S.*\n\n# The end\.\n$/);
  expect(fieldsOf(merged).system_prompt).toBe(long);
});

test("a text that gets lines becomes a block", () => {
  expect(change({ model: "one\ntwo" })).toContain("model: |-\n  one\n  two\n");
  expect(change({ name: "one\ntwo" })).toContain("name: |- # who it is\n  one\n  two\n");
});

test("new fields come last, in front of what ends the text", () => {
  expect(change({ max_tokens: 5 })).toBe(TEXT.replace("\n\n# The end.", "\nmax_tokens: 5\n\n# The end."));
  expect(mergeYaml("name: A", { name: "A", retries: 1 })).toBe("name: A\nretries: 1\n");
});

test("a removed field takes the comment right above it along, and no other", () => {
  const { model: _, ...rest } = fieldsOf(TEXT);
  expect(mergeYaml(TEXT, rest)).toBe(TEXT.replace('# Ask Ada before you change it.\nmodel: "demo:demo"\n', ""));
  const { name: __, ...others } = fieldsOf(TEXT);
  expect(mergeYaml(TEXT, others)).toMatch(/^# The team's assistant\.\n\n# Ask Ada/);
});

test("lists without indentation stay so", () => {
  expect(change({ tools: ["a", "c"] }, "name: A\ntools:\n- a # one\n- b\n")).toBe("name: A\ntools:\n- a # one\n- c\n");
});

test.each([
  ["a: [1, 2", "text that can't be read"],
  ["- a\n- b\n", "a list"],
  ["", "nothing"],
])("%j is replaced: it is %s", (text) => {
  expect(mergeYaml(text, { name: "A" })).toBe("name: A\n");
});

test.each([
  ["in braces", "{name: A, tools: [a]} # one line\n"],
  ["indented", "  name: A # who\n  tools: [a]\n"],
  ["with anchors", "name: &a A\ntools: [*a] # the same\n"],
  ["as a document", "%YAML 1.2\n---\nname: A # who\ntools:\n- a\n...\n"],
  ["with keys that are numbers", "name: A\n1: x\ntools: [a]\n"],
])("a text %s is merged too", (_, text) => {
  for (const fields of [{ name: "B" }, { tools: ["b", "c"] }, { retries: 2, tools: null }]) {
    const wanted = { ...fieldsOf(text), ...fields };
    expect(fieldsOf(mergeYaml(text, wanted))).toEqual(wanted);
  }
});

test("a field without a value is no field", () => {
  expect(mergeYaml("name: A\nmodel: x\n", { name: "A", model: undefined })).toBe("name: A\n");
});

const key = fc.constantFrom("name", "model", "tools", "args", "path", "1", "true", "a b", "ü");
const leaf = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !text.includes("\0")),
  fc.constantFrom(
    "yes",
    "~",
    "# no comment",
    "- a",
    "a: b",
    "two\nlines\n",
    "  indented\n\n",
    "\ttab",
    "1.0",
    "|",
    "> x",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { fields } = fc.letrec<{ value: unknown; fields: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("value"), { maxLength: 4 }), tie("fields")),
  fields: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
}));

test("whatever the text was, the merged one says the fields", () => {
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const wanted = JSON.parse(JSON.stringify(after));
      expect(fieldsOf(mergeYaml(writeYaml(before), after)) ?? {}).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});

test("a comment above and a comment behind every field survive a change of any other", () => {
  fc.assert(
    fc.property(fc.array(leaf, { minLength: 2, maxLength: 6 }), fc.nat(), leaf, (values, pick, value) => {
      const names = values.map((_, at) => `field${at}`);
      const text = values.map((one, at) => `# above ${at}\n${writeYaml({ [`field${at}`]: one })}`).join("\n");
      const at = pick % values.length;
      const merged = mergeYaml(text, { ...fieldsOf(text), [`field${at}`]: value });
      for (const other of names.keys()) expect(merged).toContain(`# above ${other}\n`);
      for (const [other, one] of values.entries()) {
        if (other !== at) expect(merged).toContain(writeYaml({ [`field${other}`]: one }));
      }
    }),
  );
});
