import { expect, test } from "vitest";
import { readConfigObject, readConfigYaml, readYaml, requireConfig, writeConfigYaml } from "./read-config";

test("a YAML config is the same as its object", () => {
  const raw = { name: "A", tools: ["calculate"], backend: { type: "state" } };
  expect(readConfigYaml(writeConfigYaml(raw))).toEqual(readConfigObject(raw));
});

test("an unknown field is found on its line", () => {
  expect(readConfigYaml("name: A\nbackend:\n  type: state\n  workdri: /x\n").problems).toEqual([
    expect.objectContaining({ path: "backend.workdri", line: 4, column: 3 }),
  ]);
});

test("a wrong value inside a list is found on its line", () => {
  expect(readConfigYaml("name: A\ntools:\n  - calculate\n  - 7\n").problems).toEqual([
    expect.objectContaining({ path: "tools.1", line: 4 }),
  ]);
});

test("broken YAML is one problem with its line", () => {
  expect(readConfigYaml("name: A\n  bad: [").problems[0]).toMatchObject({
    severity: "error",
    line: expect.any(Number),
  });
});

test("a text that is no list of fields is refused", () => {
  expect(readConfigYaml("- a\n- b").config).toBeNull();
});

test("a bomb of aliases is refused", () => {
  const levels = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(",")}]`);
  expect(() => readYaml(["a0: &a0 [x]", ...levels].join("\n"))).toThrow(/aliases/);
});

test("a setting that does not exist yet is not_available with its line", () => {
  const read = readConfigYaml("name: A\nbackend:\n  type: docker\n");
  expect(read.problems[0]).toMatchObject({ path: "backend.type", line: 3 });
  expect(() => requireConfig(read)).toThrow(expect.objectContaining({ code: "not_available" }));
});

test.each(["a\0b", "\ud800"])("text that no database takes (%j) is refused where it stands", (text) => {
  const read = readConfigObject({ name: "A", memory: { paths: ["ok", text] } });
  expect(read.problems.map(({ path }) => path)).toEqual(["memory.paths.1"]);
  expect(() => requireConfig(read)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("a text that is nested too deeply is refused in words for people", () => {
  const read = readConfigYaml(`name: ${"[".repeat(20_000)}${"]".repeat(20_000)}`);
  expect(read.problems[0]?.message).toBe("The text is nested too deeply.");
});
