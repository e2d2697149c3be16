import { expect, test } from "vitest";
import { publishChange } from "@/lib/server/agents/publish-version";
import { resultsOf, subagentTests, task } from "@/lib/testing/servers/subagent-server";

const { start, use, say, follow, childrenOf } = subagentTests();

const writes = { name: "write_file", args: { path: "note.txt", content: "secret 7" } };
const reads = { name: "read_file", args: { path: "note.txt" } };

test.each([
  ["user", "boss", "secret 7"],
  ["agent", "boss", "secret 7"],
  ["thread", "boss", "secret 7"],
  ["user", "worker", "There is no file"],
  ["agent", "worker", "There is no file"],
  ["thread", "worker", "There is no file"],
])("with files per %s a subagent that is the agent %s gets for the note: %s", async (scope, agent, text) => {
  await start(
    {
      go: [{ calls: [writes] }, { calls: [task("read", { agent })] }, { text: "Done." }],
      read: [{ calls: [reads] }, { text: "Read." }],
    },
    { backend: { type: "state", scope } },
  );
  const raw = { name: "Worker", model: "scripted:m", retries: 0, backend: { type: "state", scope } };
  await publishChange("worker", () => raw, { createdById: null });
  const runId = await say("go");
  await follow(runId);
  const [child] = await childrenOf(runId);
  expect(child?.agentId).toBe(agent);
  expect(String(resultsOf(await follow(child?.id ?? ""))[0])).toContain(text);
  expect(use().server.provider.requests).toHaveLength(5);
});
