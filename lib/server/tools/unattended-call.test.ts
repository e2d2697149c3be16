import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { testConfig } from "@/lib/testing/scripted/run-with";
import { hasHook, whyNotRead } from "./unattended-call";

const path = "secrets/key.txt";
const PLACE = { agentId: "a", userId: "u", threadId: "t", runId: "r" };

test.each([
  ["nothing", {}, null],
  ["rules for other files", { deny: [{ tool: "read_file", args: { path: "other/**" } }] }, null],
  ["a rule for its folder", { deny: [{ tool: "read_file", args: { path: "secrets/**" } }] }, /deny this read_file/],
  ["a rule by aliases", { deny: [{ tool: "Read", args: { file_path: "/workspace/secrets/*" } }] }, /deny this/],
  ["a rule that asks", { ask: [{ tool: "read_file", args: { path: "secrets/**" } }] }, /ask before this read_file/],
  ["a rule for the tool", { deny: ["read_file"] }, "its agent does not offer read_file"],
])("a file that the server reads for an agent is kept back by %s: %o", async (_name, rules, why) => {
  const found = await whyNotRead(testConfig({ permissions: { enabled: true, mode: "bypass", ...rules } }), path, PLACE);
  if (why instanceof RegExp) expect(found).toMatch(why);
  else expect(found).toBe(why);
  expect(await whyNotRead(testConfig({ permissions: { enabled: false, ...rules } }), path, PLACE)).toBeNull();
});

test("a hook runs unless the agent's own list leaves it out or switches it off", () => {
  const lists = [null, ["filesystem"], [], [{ name: "filesystem", enabled: false }]];
  expect(lists.map((hooks) => hasHook(testConfig({ hooks }), "filesystem"))).toEqual([true, true, false, false]);
});

const GUARDS = `import { allow, ask, defineHook, deny, guardHook, proceed } from "ringmaster";
const guard = (name, preToolUse) => defineHook({ name, create: () => guardHook({ preToolUse }) });
export default [
  guard("denies", ({ call, agent }) => call.args.path.startsWith("secrets/") ? deny("Not " + call.name + " for " + agent.id + ".") : proceed()),
  guard("asks", () => ask("Costs money.")),
  guard("allows", () => allow()),
  guard("says-nothing", () => proceed()),
  guard("throws", () => { throw new Error("its list is gone"); }),
  defineHook({ name: "answers", create: () => ({ wrapToolCall: async (call) => ({ kind: "result", result: { toolCallId: call.id, name: call.name, output: "cached" } }) }) }),
  defineHook({ name: "changes", create: () => ({ wrapToolCall: (call, next) => next({ ...call, args: { path: "other.txt" } }) }) }),
  defineHook({ name: "looks", create: () => ({ afterAgent() {} }) }),
];
`;

describe("the hooks of an extension that the agent names", () => {
  let folder: Awaited<ReturnType<typeof extensionFolder>>;
  beforeAll(async () => {
    folder = await extensionFolder({ "guards.ts": GUARDS, "broken.ts": "export default oops(;" });
  });
  afterAll(() => folder.close());

  const refuses = (reason: string) => `the hooks of its agent refuse this read_file call: ${reason}`;
  const byItself = refuses("they answer it themselves or change it, which they can only do in a run");

  test.each<[string, (string | { name: string; enabled: boolean })[], string | null | RegExp]>([
    ["deny", ["denies"], refuses("Not read_file for a")],
    ["ask", ["asks"], /refuse this read_file call: .*nobody can be asked/],
    ["allow", ["allows"], null],
    ["have no opinion", ["says-nothing", "looks"], null],
    ["throw", ["throws"], refuses("hook throws pre_tool_use: its list is gone")],
    ["answer in its place", ["answers"], byItself],
    ["change it", ["changes"], byItself],
    ["could not be loaded", ["broken"], /refuse this read_file call: hook broken: .*could not be loaded/],
    ["deny after another allowed", ["allows", "denies"], refuses("Not read_file for a")],
    ["are switched off", [{ name: "denies", enabled: false }], null],
    ["are not named", ["filesystem"], null],
  ])("decide on a call that the server makes for it: they %s", async (_, hooks, why) => {
    const found = await whyNotRead(testConfig({ hooks: ["permissions", ...hooks] }), path, PLACE);
    if (why instanceof RegExp) expect(found).toMatch(why);
    else expect(found).toBe(why);
  });

  test("are not asked about a call that the rules refuse", async () => {
    const permissions = { enabled: true, mode: "bypass" as const, deny: ["read_file"] };
    const found = await whyNotRead(testConfig({ permissions, hooks: ["permissions", "throws"] }), path, PLACE);
    expect(found).toBe("its agent does not offer read_file");
  });
});
