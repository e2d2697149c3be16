import { expect, test } from "vitest";
import { GET as filesOf } from "@/app/api/runs/[runId]/files/route";
import { GET as content } from "@/app/api/threads/[threadId]/files/content/route";
import type { RunFiles } from "@/lib/schema/files/workspace-file";
import { publishChange } from "@/lib/server/agents/publish-version";
import { processServices } from "@/lib/server/wiring/services";
import { resultsOf, subagentTests, task } from "@/lib/testing/servers/subagent-server";

const { start, use, say, follow, childrenOf } = subagentTests();

const writes = { name: "write_file", args: { path: "note.txt", content: "secret 7" } };
const reads = { name: "read_file", args: { path: "note.txt" } };

/** Runs boss with "go", with its files and its worker's per `scope`, and returns the run of its subagent. */
async function delegate(scope: string, answers: Parameters<typeof start>[0]) {
  const backend = { type: "state", scope };
  await start(answers, { backend });
  const raw = { name: "Worker", model: "scripted:m", retries: 0, backend };
  await publishChange(processServices(), "worker", () => raw, { createdById: null });
  const runId = await say("go");
  await follow(runId);
  const [child] = await childrenOf(runId);
  return child;
}

test.each([
  ["user", "boss", "secret 7"],
  ["agent", "boss", "secret 7"],
  ["thread", "boss", "secret 7"],
  ["user", "worker", "There is no file"],
  ["agent", "worker", "There is no file"],
  ["thread", "worker", "There is no file"],
])("with files per %s a subagent that is the agent %s gets for the note: %s", async (scope, agent, text) => {
  const child = await delegate(scope, {
    go: [{ calls: [writes] }, { calls: [task("read", { agent })] }, { text: "Done." }],
    read: [{ calls: [reads] }, { text: "Read." }],
  });
  expect(child?.agentId).toBe(agent);
  expect(String(resultsOf(await follow(child?.id ?? ""))[0])).toContain(text);
  expect(use().server.provider.requests).toHaveLength(5);
});

test.each([
  ["user", "boss", true],
  ["user", "worker", false],
  ["thread", "worker", false],
] as const)(
  "with files per %s those that the agent %s wrote as a subagent can be opened",
  async (scope, agent, shared) => {
    const child = await delegate(scope, {
      go: [{ calls: [task("write", { agent })] }, { text: "Done." }],
      write: [{ calls: [writes] }, { text: "Written." }],
    });
    const { call } = use().server;
    const reply = await call(filesOf, { as: "member", params: { runId: child?.id ?? "" } });
    const { files, ...place }: RunFiles = await reply.json();
    expect(files).toMatchObject([{ path: "note.txt", operation: "created" }]);
    expect(place).toMatchObject({ isShared: shared, agentName: agent === "boss" ? "Boss" : "Worker" });
    const params = { threadId: place.threadId };
    const bytes = await call(content, { as: "member", params, path: "/?path=note.txt" });
    expect(await bytes.text()).toBe("secret 7");
    expect((await call(filesOf, { as: "viewer", params: { runId: child?.id ?? "" } })).status).toBe(404);
  },
);
