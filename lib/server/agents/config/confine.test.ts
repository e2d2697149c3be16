import { expect, test } from "vitest";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { standardHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { confine } from "./confine";

const confined = (config: Partial<AgentConfigInput>) =>
  confine(AgentConfig.parse({ name: "Agent", model: "scripted:m", ...config }));
const backend: AgentConfigInput["backend"] = { type: "local", scope: "user" };

test.each([
  [{}, "default"],
  [{ permissions: { enabled: true, mode: "bypass" } }, "default"],
  [{ permissions: { enabled: true, mode: "accept_edits" } }, "default"],
  [{ permissions: { enabled: true, mode: "plan" } }, "plan"],
  [{ hooks: [{ name: "permissions", enabled: true, config: { mode: "bypass" } }] }, "default"],
  [{ hooks: [{ name: "permissions", enabled: false, config: { mode: "bypass", enabled: false } }] }, "default"],
] as const)("with %j the permissions are on, and ask as in the mode %s", (config, mode) => {
  expect(permissionSettings(confined(config as Partial<AgentConfigInput>))).toMatchObject({ enabled: true, mode });
});

test("its rules stay its rules", () => {
  const { permissions } = confined({ permissions: { enabled: true, deny: ["execute"], allow: ["write_file"] } });
  expect(permissions).toMatchObject({ deny: ["execute"], allow: ["write_file"] });
});

test("its files are the thread's, and nothing reads or writes memory", () => {
  const config = confined({ backend, memory: { paths: ["AGENTS.md"], recall: { enabled: true } } });
  expect(config).toMatchObject({
    backend: { scope: "thread" },
    memory: { paths: [] },
    memory_flush: { enabled: false },
  });
  const listed = confined({ backend, hooks: ["memory", "todolist"] });
  for (const { hooks } of [config, listed]) expect(hooks).not.toContain("memory");
});

test("every other hook is there in its order", () => {
  const plain = AgentConfig.parse({ name: "Agent", model: "scripted:m", permissions: { enabled: true } });
  const names = (config: AgentConfig) =>
    standardHooks({ config, verboseTrace: false, workspace: null, fileHistory: null }).map(({ name }) => name);
  expect(names(confine(plain))).toEqual(names(plain).filter((name) => name !== "memory"));
});
