import { expect, test } from "vitest";
import { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import { runsIn } from "./runs-in";

/** The built-in tool with this name; otherwise one known only by its annotations. */
function tool(name: string, annotations = {}) {
  const [builtin] = listBuiltinTools().find(([known]) => known.name === name) ?? [];
  return builtin ?? { annotations };
}

const place = (backend: object | null, isSandboxed = true) => ({
  agentName: "Coder",
  backend: backend && BackendConfig.parse({ type: "local", ...backend }),
  workspace: { isSandboxed },
});

test("a command names its folder, fence, network and limit, and never a fence that is not there", () => {
  const command = tool("execute");
  expect(runsIn(command, place({}))).toBe("/workspace, sandboxed, no network, 120 s at most");
  expect(runsIn(command, place({ network: true, timeout_ms: 900 }))).toBe(
    "/workspace, sandboxed, with network, 900 ms at most",
  );
  expect(runsIn(command, place({}, false))).toBe("/workspace, without a sandbox, with network, 120 s at most");
});

test("a file tool says whose files they are, other tools where they run", () => {
  const elsewhere = { ...tool("weather", { openWorld: true }), place: "weather.example" };
  expect(runsIn(elsewhere, place(null))).toBe("weather.example, outside Ringmaster");
  expect(runsIn(tool("write_file"), place({ scope: "agent" }))).toBe("the workspace that everybody shares with Coder");
  expect(runsIn(tool("memory_append"), place({}))).toBe("the memory of Coder");
  expect(runsIn(tool("send_mail", { openWorld: true }), place(null))).toBe("another server, outside Ringmaster");
  expect(runsIn(tool("calculate"), place(null))).toBe("this server, for Coder");
});
