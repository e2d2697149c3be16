import { expect, test } from "vitest";
import { withoutDatabase } from "@/lib/testing/databases/services-of";
import { readConfigObject, readConfigYaml, requireConfig, writeConfigYaml } from "./read-config";

test("a YAML config is the same as its object", () => {
  const raw = { name: "A", tools: ["calculate"], backend: { type: "state" } };
  const { locate: _, ...read } = readConfigYaml(withoutDatabase, writeConfigYaml(raw));
  expect(readConfigObject(withoutDatabase, raw)).toMatchObject(read);
});

test("an unknown field is found on its line", () => {
  expect(readConfigYaml(withoutDatabase, "name: A\nbackend:\n  type: state\n  workdri: /x\n").problems).toEqual([
    expect.objectContaining({ path: "backend.workdri", line: 4, column: 3 }),
  ]);
});

test("a wrong value inside a list is found on its line", () => {
  expect(readConfigYaml(withoutDatabase, "name: A\ntools:\n  - calculate\n  - 7\n").problems).toEqual([
    expect.objectContaining({ path: "tools.1", line: 4 }),
  ]);
});

test("broken YAML is one problem with its line", () => {
  expect(readConfigYaml(withoutDatabase, "name: A\n  bad: [").problems[0]).toMatchObject({
    severity: "error",
    line: expect.any(Number),
  });
});

test("a syntax error hides no problem of the fields before it, and invents none for those after it", () => {
  const early = readConfigYaml(withoutDatabase, "model: 7\nname: A\ntools: [calculate\nretries: many\n").problems;
  expect(early.map(({ path }) => path)).toEqual(["model", ""]);
  const text = 'model: 7\nretries: many\ntools:\n  - calculate\nsystem_prompt: "never closed\nname: A\n';
  const { problems, config } = readConfigYaml(withoutDatabase, text);
  expect(problems).toMatchObject([
    { path: "model", line: 1 },
    { path: "retries", line: 2 },
    { path: "", message: "A closing quote is missing. Add it at the end of the value." },
  ]);
  expect(config).toBeNull();
});

test("a text that is not a list of fields is refused", () => {
  expect(readConfigYaml(withoutDatabase, "- a\n- b").config).toBeNull();
});

test("a value that contains itself is a problem on its line, not a fault", () => {
  expect(readConfigYaml(withoutDatabase, "name: A\ntools: &a [*a]\n").problems).toMatchObject([
    { line: 2, severity: "error" },
  ]);
});

test("133 KB of keys are refused before they are compared with each other", () => {
  const text = Array.from({ length: 16_000 }, (_, at) => `k${at}: 1`).join("\n");
  expect(readConfigYaml(withoutDatabase, text).problems).toMatchObject([
    { message: expect.stringContaining("20,000 tokens") },
  ]);
});

test("a bomb of aliases is refused", () => {
  const levels = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(",")}]`);
  expect(readConfigYaml(withoutDatabase, ["a0: &a0 [x]", ...levels].join("\n")).problems).toMatchObject([
    { message: expect.stringContaining("aliases") },
  ]);
});

test("a setting that does not exist yet is not_available with its line", () => {
  const read = readConfigYaml(withoutDatabase, "name: A\nbackend:\n  type: remote\n");
  expect(read.problems[0]).toMatchObject({ path: "backend.type", line: 3 });
  expect(() => requireConfig(read)).toThrow(expect.objectContaining({ code: "not_available" }));
});

test.each(["a\0b", "\ud800"])("text that no database accepts (%j) is refused where it occurs", (text) => {
  const read = readConfigObject(withoutDatabase, { name: "A", memory: { paths: ["ok", text] } });
  expect(read.problems.map(({ path }) => path)).toEqual(["memory.paths.1"]);
  expect(() => requireConfig(read)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("text that is nested too deeply is refused with a sentence for people", () => {
  const read = readConfigYaml(withoutDatabase, `name: ${"[".repeat(20_000)}${"]".repeat(20_000)}`);
  expect(read.problems[0]?.message).toBe("The text is nested too deeply.");
});

test.each([
  ["skills.catalog.max_skills", -1, 0, 500, 501],
  ["skills.catalog.max_tokens", -1, 0, 1_000_000, 1_000_001],
  ["skills.search.top", 0, 1, 50, 51],
  ["prompt.files.max_chars", 999, 1_000, 1_000_000, 1_000_001],
  ["prompt.files.max_total_chars", 999, 1_000, 1_000_000, 1_000_001],
  ["prompt.files.head_ratio", -0.1, 0, 0.8, 0.9],
  ["prompt.files.tail_ratio", -0.1, 0, 0.3, 1.1],
  ["silent_replies.max_other_chars", -1, 0, 10_000, 10_001],
  ["subagent_settings.max_depth", 0, 1, 10, 11],
  ["subagent_settings.max_active", 0, 1, 100, 101],
  ["subagent_settings.max_children", 0, 1, 100, 101],
  ["subagent_settings.result.max_chars", 0, 1, 10_000_000, 10_000_001],
  ["trace.preview_chars", -1, 0, 10_000, 10_001],
  ["trace.max_body_chars", -1, 0, 1_000_000, 1_000_001],
])("%s is refused at %d, taken from %d to %d and refused at %d", (path, below, least, most, above) => {
  const isRefused = (value: number) => {
    const nested = path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    return readConfigObject(withoutDatabase, { name: "A", ...(nested as object) }).problems.some(
      (problem) => problem.path === path,
    );
  };
  expect([below, least, most, above].map(isRefused)).toEqual([true, false, false, true]);
});

test.each([
  ["memory.paths.1", { memory: { paths: ["AGENTS.md", "../x.md"] } }, 'A path must not contain ".."'],
  ["memory.paths.0", { memory: { paths: ["/workspace"] } }, "must name a file"],
  ["skills.paths.0", { skills: { paths: ["a\nb"] } }, "control character"],
  ["hooks.0.config.paths.0", { hooks: [{ name: "memory", config: { paths: [".."] } }] }, 'must not contain ".."'],
  ["backend.workdir", { backend: { type: "local", workdir: "/usr/x" } }, "belongs to the system"],
])("%s is refused when no run could work with it", (path, config, message) => {
  const { problems, config: read } = readConfigObject(withoutDatabase, {
    name: "A",
    backend: { type: "state" },
    ...config,
  });
  expect(problems).toEqual([{ path, message: expect.stringContaining(message), severity: "error" }]);
  expect(read).toBeNull();
});

test.each(["file:///etc/passwd", "data:text/plain,x", "ftp://models.example/v1", "gopher://127.0.0.1:6379"])(
  "the address %s is none that a model can be asked at",
  (address) => {
    const named = { provider: "openai-compatible", model: "m", base_url: address };
    const read = readConfigYaml(
      withoutDatabase,
      writeConfigYaml({ name: "A", model: named, fallback_models: [named] }),
    );
    expect(() => requireConfig(read)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    expect(read.problems).toMatchObject([
      { path: "model.base_url", line: 5, message: expect.stringContaining("http:// or https://") },
      { path: "fallback_models.0.base_url", message: expect.stringContaining("http:// or https://") },
    ]);
  },
);

test("a permission glob that is not known is refused where it stands", () => {
  const permissions = { deny: ["!(read)*", { tool: "execute", args: { command: "ls *(x)" } }], allow: ["{a,b}_*"] };
  const { problems } = readConfigObject(withoutDatabase, { name: "A", permissions });
  expect(problems).toMatchObject([{ path: "permissions.deny.0", message: expect.stringContaining("{a,b}") }]);
});

test("a hook that does not exist is a mistake, not a future feature", () => {
  const read = readConfigObject(withoutDatabase, { name: "A", hooks: ["traicing"] });
  expect(() => requireConfig(read)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test.each([["/workspace/notes/AGENTS.md"], ["./a/b.md"], ["memory/ü.md"]])("the memory path %s is accepted", (path) => {
  const raw = { name: "A", backend: { type: "local" }, memory: { paths: [path] }, skills: { paths: ["/", "skills"] } };
  expect(readConfigObject(withoutDatabase, raw).problems).toEqual([]);
});

test("a config from before these numbers were fields behaves as it did", () => {
  const { config } = readConfigYaml(
    withoutDatabase,
    "name: A\nskills: {paths: [skills]}\nprompt: {mode: full}\ntrace: {verbose: true}\n",
  );
  expect(config).toMatchObject({
    skills: { catalog: { max_skills: 20, max_tokens: 3_500 }, search: { top: 5 } },
    prompt: { files: { max_chars: 20_000, max_total_chars: 24_000, head_ratio: 0.7, tail_ratio: 0.2 } },
    silent_replies: { max_other_chars: 80 },
    subagent_settings: {
      max_depth: 3,
      max_active: 8,
      max_children: 5,
      result: { max_chars: 80_000, head: 2_000, tail: 2_000 },
    },
    trace: { preview_chars: 500, max_body_chars: 50_000 },
  });
});

test("one look finds what is wrong with every field, in the order of the text", () => {
  const text =
    "nmae: A\nmax_tokens: many\nmemory: {paths: [../x]}\nbackend: {type: remote}\nhooks: [traicing]\ntemperature: 9\n";
  expect(readConfigYaml(withoutDatabase, text).problems.map(({ path, line }) => [path, line])).toEqual([
    ["name", 1],
    ["nmae", 1],
    ["max_tokens", 2],
    ["memory.paths.0", 3],
    ["backend.type", 4],
    ["hooks.0", 5],
    ["temperature", 6],
  ]);
});
