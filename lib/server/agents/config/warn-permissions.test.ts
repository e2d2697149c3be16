import { expect, test } from "vitest";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { warnOfIdleRules } from "./warn-permissions";

type Rules = Parameters<typeof PermissionsConfig.parse>[0];
const pathsOf = (permissions: Rules) =>
  warnOfIdleRules({ permissions: PermissionsConfig.parse(permissions) }).map(({ path }) => path);

test.each<[string, Rules, string[]]>([
  ["that deny while permissions are off", { deny: ["execute"] }, ["permissions.enabled"]],
  ["that ask while permissions are off", { ask: ["execute"] }, ["permissions.enabled"]],
  ["with arguments in brackets", { enabled: true, deny: ["read_file(secret/**)"] }, ["permissions.deny.0"]],
  ["with a space before them", { enabled: true, allow: ["ls", "execute (npm:*)"] }, ["permissions.allow.1"]],
  ["with brackets in an object", { enabled: true, ask: [{ tool: "execute(rm *)" }] }, ["permissions.ask.0"]],
])("rules %s give a warning", (_, permissions, paths) => {
  expect(pathsOf(permissions)).toEqual(paths);
});

test.each<[string, Rules]>([
  ["none", {}],
  ["rules that hold", { enabled: true, deny: ["mcp__*", { tool: "read_file", args: { path: "secret/**" } }] }],
  // Calls with an address ask also while permissions are off.
  ["rules that allow while permissions are off", { allow: [{ tool: "web_fetch", addresses: "known" }] }],
])("%s give none", (_, permissions) => {
  expect(pathsOf(permissions)).toEqual([]);
});
