import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalArgs } from "@/lib/agent/interrupts";
import { permissionSubject } from "@/lib/hooks/tool-subject";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import { explainPermission, isOffered, type PermissionSubject } from "./explain-permission";
import { wildcardMatches } from "./permission-rules";

type Rules = Parameters<typeof PermissionsConfig.parse>[0];

/** The subject of the built-in tool with this name; otherwise of a tool known only by whether it is read-only. */
function subjectOf(name: string, readOnly = false): PermissionSubject {
  const [builtin] = listBuiltinTools().find(([tool]) => tool.name === name) ?? [];
  if (builtin) return permissionSubject(builtin, "/workspace", () => false);
  return { aliases: [], argumentAliases: {}, annotations: { readOnly }, workdir: "/workspace" };
}

function explain(tool: string, args: Record<string, unknown>, rules: object, readOnly = false) {
  const permissions = PermissionsConfig.parse({ enabled: true, ...rules } as Rules);
  return explainPermission({ tool, args }, subjectOf(tool, readOnly), permissions);
}

const MODES = ["default", "accept_edits", "plan", "bypass"] as const;
test.each([
  ["read_file", true, ["allow", "allow", "allow", "allow"]],
  ["skill_search", true, ["allow", "allow", "allow", "allow"]],
  ["write_todos", false, ["allow", "allow", "allow", "allow"]],
  ["ask_user", true, ["allow", "allow", "allow", "allow"]],
  ["task", false, ["allow", "allow", "allow", "allow"]],
  ["write_file", false, ["ask", "allow", "deny", "allow"]],
  ["edit_file", false, ["ask", "allow", "deny", "allow"]],
  ["memory_append", false, ["ask", "allow", "deny", "allow"]],
  ["memory_write", false, ["ask", "ask", "deny", "allow"]],
  ["execute", false, ["ask", "ask", "deny", "allow"]],
  ["my_http_tool", false, ["ask", "ask", "deny", "allow"]],
] as const)("%s (readOnly: %s) in the modes default, accept_edits, plan and bypass: %o", (tool, readOnly, verdicts) => {
  const found = MODES.map((mode) => explain(tool, {}, { mode }, readOnly));
  expect(found.map(({ verdict }) => verdict)).toEqual(verdicts);
  expect(found.every(({ by }) => by === "mode")).toBe(true);
});

test("a tool that reads outside this server asks in the modes that ask, since its arguments leave it", () => {
  const subject = { ...subjectOf("look_up"), annotations: { readOnly: true, openWorld: true } };
  const found = MODES.map((mode) =>
    explainPermission({ tool: "look_up", args: {} }, subject, PermissionsConfig.parse({ enabled: true, mode })),
  );
  expect(found.map(({ verdict }) => verdict)).toEqual(["ask", "ask", "allow", "allow"]);
  expect(found[0]?.explanation).toBe("No rule allows look_up, which sends its arguments outside, so you are asked.");
});

const OWN_REASONS = [{ unknownAddress: "evil.example" }, { asksBecause: "others read the message" }];

test.each(OWN_REASONS)(
  "a call that only reads, with %o, asks where permissions are off and in every mode",
  (reason) => {
    const subject = { ...subjectOf("look_up"), annotations: { readOnly: true, openWorld: true }, ...reason };
    const verdict = (rules: object) =>
      explainPermission({ tool: "look_up", args: {} }, subject, PermissionsConfig.parse(rules)).verdict;
    const inModes = MODES.map((mode) => verdict({ enabled: true, mode }));
    expect([verdict({ enabled: false }), ...inModes]).toEqual(["ask", "ask", "ask", "ask", "ask"]);
  },
);

test("what only plan mode denies stays denied, and a deny rule comes before an unknown address", () => {
  const subject = { ...subjectOf("send"), annotations: { openWorld: true }, unknownAddress: "evil.example" };
  const verdict = (rules: object) =>
    explainPermission(
      { tool: "send", args: {} },
      subject,
      PermissionsConfig.parse({ enabled: true, ...rules } as Rules),
    );
  expect(verdict({ mode: "plan" }).verdict).toBe("deny");
  expect(verdict({ deny: ["send"], mode: "bypass" }).by).toBe("deny");
});

test.each(OWN_REASONS)("a rule that allows the call, or a grant for exactly it, comes before %o", (reason) => {
  const subject = { ...subjectOf("look_up"), ...reason };
  const decide = (enabled: boolean, allow: string[], grants: { id: string; tool: string; args: string }[]) =>
    explainPermission({ tool: "look_up", args: {} }, subject, PermissionsConfig.parse({ enabled, allow }), grants).by;
  const grants = [{ id: "g", tool: "look_up", args: "{}" }];
  expect([decide(true, ["look_up"], []), decide(false, ["look_up"], [])]).toEqual(["allow", "allow"]);
  expect([decide(true, [], grants), decide(false, [], grants)]).toEqual(["grant", "grant"]);
});

test("the ask says to whom something would go, and why that matters", () => {
  const subject = { ...subjectOf("look_up"), unknownAddress: "evil.example" };
  const permissions = PermissionsConfig.parse({ enabled: false });
  expect(explainPermission({ tool: "look_up", args: {} }, subject, permissions)).toMatchObject({
    by: "address",
    explanation:
      "look_up would send something to evil.example. This address came neither from a person nor from a search of this run, and an address can carry data outside, so it asks.",
  });
});

test("the text of plan mode is S2's", () => {
  expect(explain("write_file", {}, { mode: "plan" }).explanation).toBe("Plan mode: write operations not allowed");
});

test("deny comes before the grant, the grant before ask, ask before allow, allow before the mode", () => {
  const all = { deny: ["write_file"], ask: ["write_file"], allow: ["write_file"], mode: "plan" };
  const { deny: _, ...withoutDeny } = all;
  const { ask: __, ...onlyAllow } = withoutDeny;
  const grants = [{ id: "grt_1", tool: "write_file", args: canonicalArgs({ path: "a", content: "b" }) }];
  const decidedBy = (rules: object, granted: typeof grants) =>
    explainPermission(
      { tool: "write_file", args: { content: "b", path: "a" } },
      subjectOf("write_file"),
      PermissionsConfig.parse({ enabled: true, ...rules } as Rules),
      granted,
    ).by;
  expect([decidedBy(all, grants), decidedBy(withoutDeny, grants)]).toEqual(["deny", "grant"]);
  expect([decidedBy(withoutDeny, []), decidedBy(onlyAllow, [])]).toEqual(["ask", "allow"]);
  expect(decidedBy({ mode: "plan" }, [])).toBe("mode");
});

test("a grant covers exactly its arguments", () => {
  const permissions = PermissionsConfig.parse({ enabled: true });
  const grants = [{ id: "g", tool: "execute", args: canonicalArgs({ command: "ls" }) }];
  const verdict = (args: Record<string, unknown>) =>
    explainPermission({ tool: "execute", args }, subjectOf("execute"), permissions, grants).verdict;
  expect([
    verdict({ command: "ls" }),
    verdict({ command: "ls -a" }),
    verdict({ command: "ls", timeout_ms: 1 }),
  ]).toEqual(["allow", "ask", "ask"]);
});

test.each([
  ["Write", "write_file", true],
  ["Bash", "execute", true],
  ["AskUserQuestion", "ask_user", true],
  ["mcp__*", "mcp__github__search", true],
  ["mcp__*", "mcp_other", false],
  ["*", "anything", true],
  ["Read", "write_file", false],
  ["write", "write_file", false],
])("the rule %s and the tool %s: %s", (rule, tool, matches) => {
  expect(explain(tool, {}, { deny: [rule] }).by === "deny").toBe(matches);
});

test.each([
  [{ path: "secrets/**" }, { path: "secrets/a.txt" }, true],
  [{ path: "secrets/**" }, { path: "/workspace/secrets/.env" }, true],
  [{ path: "secrets/**" }, { path: "/secrets//x/./y" }, true],
  [{ path: "/workspace/secrets/**" }, { path: "secrets/a" }, true],
  [{ file_path: "*.md" }, { path: "a.md" }, true],
  [{ path: "*.md" }, { path: "docs/a.md" }, false],
  [{ path: "secrets/**" }, { path: "secrets-not/a" }, false],
  [{ path: "**", content: "*password*" }, { path: "a", content: "my\npassword: x" }, true],
  [{ path: "**", content: "*password*" }, { path: "a" }, false],
])("a write_file rule with %o and the arguments %o: %s", (args, called, matches) => {
  const rule = { tool: "write_file", args, message: "Not there." };
  const found = explain("write_file", called, { deny: [rule], mode: "bypass" });
  expect(found.by === "deny").toBe(matches);
  if (matches) expect(found.explanation).toBe("Not there.");
});

test("arguments other than paths are matched as text, including slashes", () => {
  const rule = { tool: "Bash", args: { command: "rm *" } };
  const by = (command: string) => explain("execute", { command }, { deny: [rule] }).by;
  expect([by("rm -rf /tmp/x"), by("ls && rm x"), by("rmdir x")]).toEqual(["deny", "mode", "mode"]);
});

test("a wildcard matches as the same regular expression would", () => {
  const part = fc.array(fc.constantFrom("a", "b", "/", "\n", "*", "?"), { maxLength: 8 }).map((all) => all.join(""));
  fc.assert(
    fc.property(part, part, (pattern, text) => {
      const source = [...pattern].map((c) => (c === "*" ? "[^]*" : c === "?" ? "[^]" : c)).join("");
      expect(wildcardMatches(pattern, text)).toBe(new RegExp(`^${source}$`).test(text));
    }),
  );
});

test("a tool that is denied for all arguments, or only changes things in plan mode, is not offered", () => {
  const offered = (tool: string, rules: object) =>
    isOffered(tool, subjectOf(tool), PermissionsConfig.parse({ enabled: true, ...rules } as Rules));
  expect(offered("execute", { deny: ["Bash"] })).toBe(false);
  expect(offered("execute", { deny: [{ tool: "Bash", args: { command: "rm *" } }] })).toBe(true);
  expect(offered("write_file", { mode: "plan" })).toBe(false);
  expect(offered("write_file", { mode: "plan", allow: [{ tool: "write_file", args: { path: "plan.md" } }] })).toBe(
    true,
  );
  expect(offered("execute", { enabled: false, deny: ["Bash"] })).toBe(true);
});

test.each(["a".repeat(1_000), "a/".repeat(500), "a".repeat(4_000_000)])(
  "a path that a model writes against a glob with many stars is decided at once",
  (path) => {
    const startedAt = performance.now();
    const rule = { tool: "write_file", args: { path: `**/${"*a".repeat(40)}b` } };
    expect(explain("write_file", { path, content: "" }, { deny: [rule], mode: "bypass" }).verdict).toBe("allow");
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  },
);

test("a glob that is not known denies and asks whatever it may mean, and allows nothing", () => {
  const rule = { tool: "write_file", args: { path: "!(a)" } };
  const verdict = (rules: object) => explain("write_file", { path: "b", content: "" }, rules).verdict;
  expect(verdict({ deny: [rule] })).toBe("deny");
  expect(verdict({ ask: [rule], mode: "bypass" })).toBe("ask");
  expect(verdict({ allow: [rule] })).toBe("ask");
});

test.each([
  ["npm test", "allow"],
  ["npm test -- --watch", "allow"],
  ["npm testing", "ask"],
  ["npm", "ask"],
  ["npm test && rm -rf .", "ask"],
  ["npm test $(cat secret)", "ask"],
  ["npm test > file", "ask"],
  ["X=1 npm test", "ask"],
])("with an allow rule for commands that begin with npm test, %s: %s", (command, verdict) => {
  const allow = [{ tool: "execute", prefix: "npm test" }];
  expect(explain("execute", { command }, { allow })).toMatchObject({ verdict });
  expect(
    explain("write_file", { path: command }, { allow: [{ tool: "write_file", prefix: "npm test" }] }).verdict,
  ).toBe("ask");
});

test("a prefix is one simple command, and limits only what is allowed", () => {
  const rule = { tool: "execute", prefix: "npm test" };
  const read = (permissions: object) => PermissionsConfig.safeParse(permissions).success;
  expect(read({ allow: [rule] })).toBe(true);
  for (const list of ["ask", "deny"]) expect(read({ [list]: [rule] })).toBe(false);
  for (const prefix of ["", "npm test *", "npm test && ls", "a\nb", "$(ls)"]) {
    expect(read({ allow: [{ ...rule, prefix }] })).toBe(false);
  }
  expect(explain("execute", { command: "npm test" }, { allow: [rule] }).explanation).toBe(
    "Rule: allow execute (begins with: npm test).",
  );
});
