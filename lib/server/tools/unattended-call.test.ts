import { expect, test } from "vitest";
import { testConfig } from "@/lib/testing/scripted/run-with";
import { hasHook, whyNotRead } from "./unattended-call";

const path = "secrets/key.txt";

test.each([
  ["nothing", {}, null],
  ["rules for other files", { deny: [{ tool: "read_file", args: { path: "other/**" } }] }, null],
  ["a rule for its folder", { deny: [{ tool: "read_file", args: { path: "secrets/**" } }] }, /deny this read_file/],
  ["a rule by aliases", { deny: [{ tool: "Read", args: { file_path: "/workspace/secrets/*" } }] }, /deny this/],
  ["a rule that asks", { ask: [{ tool: "read_file", args: { path: "secrets/**" } }] }, /ask before this read_file/],
  ["a rule for the tool", { deny: ["read_file"] }, "its agent does not offer read_file"],
])("a file that the server reads for an agent is kept back by %s: %o", (_name, rules, why) => {
  const found = whyNotRead(testConfig({ permissions: { enabled: true, mode: "bypass", ...rules } }), path);
  if (why instanceof RegExp) expect(found).toMatch(why);
  else expect(found).toBe(why);
  expect(whyNotRead(testConfig({ permissions: { enabled: false, ...rules } }), path)).toBeNull();
});

test("a hook runs unless the agent's own list leaves it out or switches it off", () => {
  const lists = [null, ["filesystem"], [], [{ name: "filesystem", enabled: false }]];
  expect(lists.map((hooks) => hasHook(testConfig({ hooks }), "filesystem"))).toEqual([true, true, false, false]);
});
