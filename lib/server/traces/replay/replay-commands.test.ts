import { beforeAll, expect, test, vi } from "vitest";
import { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { createAgent } from "@/lib/server/agents/publish-version";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import { replayServer } from "@/lib/testing/traces/replay-fixture";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });
const run = (command: string) => ({ name: "execute", args: { command } });
const read = (path: string) => ({ name: "read_file", args: { path } });

/** The last answer of "Work twice" waits for what a test puts here. */
let gate: PromiseLike<unknown> | undefined;

const { server, db, recorded, post, start, get, plan, resultsOf, settled } = replayServer({
  Work: [
    { calls: [write("a.txt", "one\n")] },
    { calls: [run("cat a.txt; echo made > made.txt")] },
    { calls: [read("made.txt")] },
    { text: "Done." },
  ],
  "Work otherwise": [
    { calls: [write("a.txt", "one\n")] },
    { calls: [run("cat a.txt; echo changed > a.txt; cat a.txt")] },
    { text: "Done." },
  ],
  "Work twice": [
    { calls: [write("a.txt", "one\n")] },
    { calls: [run("echo more >> a.txt; cat a.txt")] },
    {
      calls: [read("a.txt")],
      get gate() {
        return gate;
      },
    },
    { text: "Done." },
  ],
});

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, system_prompt: "You run commands." };
  const raw = { ...base, name: "Shell", backend: { type: "local", scope: "user", network: true } };
  await createAgent(server().services, { agentId: "shell", raw, createdById: null });
});

test("commands run fenced in on a copy of the folder, and the folder itself stays as it is", async () => {
  const runId = await recorded("Work", "shell");
  const { tools, sandbox } = await plan(runId, 2);
  expect(tools.find(({ name }) => name === "execute")).toEqual({ name: "execute", inSandbox: true, readOnly: false });
  expect(sandbox).toEqual({ problem: null, files: 1, neverVersioned: 0 });
  const unchanged = await start({ runId, fromStep: 2, tools: { default: "sandbox" } });
  expect((await get(unchanged.replayId)).same).toEqual({ runs: 1, of: 1 });
  expect((await resultsOf(unchanged.runIds[0] ?? "")).at(-1)).toContain("made");
  const other = { runId, fromStep: 2, with: { message: "Work otherwise" }, tools: { default: "sandbox" } };
  const { runIds } = await start(other);
  expect((await resultsOf(runIds[0] ?? ""))[1]).toMatch(/one[\s\S]*changed/);
  const places = await db().call.findMany({ where: { tool: "execute" }, select: { runId: true, hadNetwork: true } });
  expect(places.find((call) => call.runId === runId)?.hadNetwork).toBe(true);
  expect(places.find((call) => call.runId === runIds[0])?.hadNetwork).not.toBe(true);
  const later = await recorded("Work", "shell");
  expect((await resultsOf(later))[1]).toContain("one");
});

test("the plan counts the files of a folder that were never versioned", async () => {
  const runId = await recorded("Work", "shell");
  const owner = { agentId: "shell", ownerId: "member", threadId: null };
  const { workspace } = await openWorkspace(db(), BackendConfig.parse({ type: "local" }), owner);
  await workspace.write("by-hand.txt", new TextEncoder().encode("x"));
  expect((await plan(runId, 3)).sandbox.neverVersioned).toBe(1);
});

test("a sandbox replay whose process dies goes on with the files that it had changed", async () => {
  gate = undefined;
  const runId = await recorded("Work twice", "shell");
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const asked = server().provider.requests.length;
  const reply = await post({ runId, tools: { default: "sandbox" } });
  const started: { replayId: string; runIds: string[] } = await reply.json();
  await vi.waitFor(() => expect(server().provider.requests.length).toBe(asked + 3), { timeout: 20_000 });
  const [id = ""] = started.runIds;
  await db().run.update({ where: { id }, data: { leaseOwner: "dead", epoch: { increment: 1 } } });
  await takeJobsOfDeadWorkers(db());
  gate = undefined;
  resolve();
  await settled(started);
  expect(await db().run.findUnique({ where: { id } })).toMatchObject({ status: "completed", takeovers: 1 });
  expect((await resultsOf(id)).at(-1)?.match(/more/g)).toHaveLength(1);
  expect((await get(started.replayId)).same).toEqual({ runs: 1, of: 1 });
});
