import { beforeEach, expect, test } from "vitest";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { RunInput } from "@/lib/server/engine/run-input";
import { addAgent, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { startChild } from "./start-child";

const CALL = { tool: "send_mail", args: { to: "ada@example.test" } };
const RULES = { id: "trg1", name: "Brief", allow: [CALL], deny: [CALL], runUsd: 1, dayUsd: 2 };

const { database } = runDatabase();

beforeEach(async () => {
  await seedThread(database(), {
    subagents: ["worker"],
    delegates: ["worker"],
    subagent_settings: { max_children: 2 },
  });
  await addAgent(database(), "worker", { name: "Worker", model: "scripted:m" });
});

/** A run of a trigger, made with an API key, that gives a task to the worker by each of these calls at once. */
async function startChildren(calls: readonly string[], delegated?: { readonly files: readonly string[] }) {
  const trigger = { details: { triggerId: "trg1" }, rules: RULES };
  const { runId } = await say(database(), "go", { apiKeyId: "key_1", attended: false, trigger });
  const parent = await database().run.findUniqueOrThrow({ where: { id: runId } });
  const version = await loadAgentVersion(database(), parent.agentVersionId);
  const task = { agent: "worker", description: "Dig", prompt: "Dig.", isBackground: false, parentSpanId: null };
  return Promise.allSettled(
    calls.map((id) => {
      const call = { id, name: "task", args: {}, rawArgs: "{}" };
      return startChild(database(), parent, version, { ...task, call, ...(delegated ? { delegated } : {}) });
    }),
  );
}

const children = () => database().run.findMany({ where: { parentRunId: { not: null } } });

test("a subagent works under its parent's key, in its attendance and by the rules of its trigger", async () => {
  await startChildren(["call_1"]);
  const [child] = await children();
  expect(child).toMatchObject({ ownerId: "u1", apiKeyId: "key_1", attended: false });
  expect(RunInput.parse(JSON.parse(child?.input ?? "")).trigger).toEqual(RULES);
});

test("a call that was allowed to a trigger's agent is not allowed to an agent that it delegates to", async () => {
  await startChildren(["call_1"], { files: [] });
  const [child] = await children();
  expect(child).toMatchObject({ apiKeyId: "key_1", attended: false });
  expect(RunInput.parse(JSON.parse(child?.input ?? "")).trigger).toEqual({ ...RULES, allow: [] });
});

test("calls at once start no more children than a run may have, and the same call starts one", async () => {
  const started = await startChildren(["call_1", "call_2", "call_3", "call_1"]);
  expect(started.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(await children()).toHaveLength(2);
});
