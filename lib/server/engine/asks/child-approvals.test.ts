import { expect, test } from "vitest";
import { z } from "zod";
import { POST as resumeRoute } from "@/app/agents/[id]/resume/route";
import { POST as stream } from "@/app/agents/[id]/stream/route";
import { GET as inbox } from "@/app/api/approvals/route";
import { GET as grants } from "@/app/api/grants/route";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import { GET as events } from "@/app/api/runs/[runId]/events/route";
import type { InvokeReply } from "@/lib/schema/apis/invoke";
import { WireInterrupt } from "@/lib/schema/runs/interrupt";
import { childApprovalServer, delegates } from "@/lib/testing/fixtures/child-approval-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { parseEventStream } from "@/lib/testing/servers/run-server";
import { writes } from "@/lib/testing/servers/scripted-turns";

/** Files for tests that use only one. */
const ALONE = ["a.txt", "s.txt", "g.txt", "own.txt", "late.txt"];

const { server, newThread, say, resume, asMember } = childApprovalServer({
  ...Object.fromEntries(
    [...ALONE, "b.txt", "one.txt", "two.txt", "p.txt", "q.txt", "no.txt", "yes.txt", "l1.txt", "l2.txt"].map((file) => [
      `Write ${file}`,
      [writes(file), { text: "It is written." }],
    ]),
  ),
  ...Object.fromEntries(
    ALONE.map((file) => [`Have ${file} written`, [delegates(`Write ${file}`), { text: "The file is there." }]]),
  ),
  "Have a.txt written, then b.txt": [delegates("Write a.txt"), delegates("Write b.txt")],
  "Have p.txt written, then q.txt": [delegates("Write p.txt"), delegates("Write q.txt")],
  "Have l1.txt written, then l2.txt": [delegates("Write l1.txt"), delegates("Write l2.txt")],
  "Have one.txt and two.txt written at once": [delegates("Write one.txt", "Write two.txt")],
  "Have no.txt written twice, then yes.txt": [
    delegates("Write no.txt"),
    delegates("Write no.txt"),
    delegates("Write yes.txt"),
  ],
});

const idsOf = ({ interrupts }: InvokeReply) => interrupts.map(({ tool_call_id: id }) => id);
const read = async (reply: Promise<Response>): Promise<InvokeReply> => (await reply).json();

test("what a subagent asks is an interrupt of its parent's reply, and /resume on the parent's thread answers it", async () => {
  const thread = newThread();
  const asked = await say("Have a.txt written", thread);
  expect(asked).toMatchObject({
    status: "waiting",
    interrupted: true,
    interrupts: [{ kind: "approval", tool: "write_file", args: { path: "a.txt" }, subagent: "writer" }],
  });
  expect(asked.interrupts[0]?.run_id).not.toBe(asked.run_id);
  const answer = await read(resume(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]));
  expect(answer).toMatchObject({ run_id: asked.run_id, status: "completed", response: "The file is there." });
  expect(answer.tool_calls[0]).toMatchObject({ name: "task", output: "It is written." });
  const again = await resume(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]);
  expect(again.status).toBe(409);
});

test("/resume answers as soon as a subagent asks again, and continues after the last answer", async () => {
  const thread = newThread();
  const asked = await say("Have a.txt written, then b.txt", thread);
  const next = await read(resume(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]));
  expect([next.status, next.interrupts.map(({ args }) => args.path)]).toEqual(["waiting", ["b.txt"]]);
  const rest = await read(resume(thread, [{ tool_call_id: idsOf(next)[0], decision: "deny", reason: "No." }]));
  expect(rest.status).toBe("completed");
});

test("two subagents ask at once: both are listed, mixed decisions in one body are taken or refused together", async () => {
  const thread = newThread();
  const asked = await say("Have one.txt and two.txt written at once", thread);
  expect(asked.interrupts.map(({ args }) => args.path).toSorted()).toEqual(["one.txt", "two.txt"]);
  const [first, second] = asked.interrupts;
  const ask = (call: typeof first, decision: string) => ({
    tool_call_id: call?.tool_call_id,
    run_id: call?.run_id,
    decision,
  });
  const wrong = await resume(thread, [ask(first, "allow"), ask(second, "answer")]);
  expect([wrong.status, (await wrong.json()).error.details[0].path]).toEqual([400, "decisions.1.decision"]);
  const half = await read(resume(thread, [ask(first, "allow")]));
  expect([half.status, half.interrupts]).toMatchObject(["waiting", [{ run_id: second?.run_id }]]);
  const done = await read(resume(thread, [ask(second, "deny")]));
  expect(done.status).toBe("completed");
  const statuses = await server().database.approval.findMany({
    where: { run: { rootRunId: asked.run_id } },
    select: { status: true, decidedVia: true },
  });
  expect(statuses.map(({ status }) => status).toSorted()).toEqual(["approved", "denied"]);
  expect(statuses.every(({ decidedVia }) => decidedVia === "api")).toBe(true);
});

test("the parent's id and the subagent's both do in /api/runs/{id}/decisions", async () => {
  const thread = newThread();
  const asked = await say("Have p.txt written, then q.txt", thread);
  const decideOn = (runId: string, toolCallId: string | undefined, as: "member" | "admin" = "member") =>
    server().call(decisions, {
      as,
      method: "POST",
      params: { runId },
      body: { decisions: [{ tool_call_id: toolCallId, decision: "allow" }] },
    });
  const [first] = asked.interrupts;
  expect((await decideOn(asked.run_id, first?.tool_call_id, "admin")).status).toBe(404);
  expect(await (await decideOn(asked.run_id, first?.tool_call_id)).json()).toMatchObject({
    status: "queued",
    open: [],
  });
  const open = async () =>
    (await (await server().call(inbox, { as: "member", path: "/api/approvals?limit=200" })).json()).approvals.filter(
      ({ args }: { args: { path: string } }) => args.path === "q.txt",
    );
  await reached(async () => (await open()).length === 1);
  const [second] = await open();
  expect(second).toMatchObject({ subagent: "writer", threadTitle: "Have p.txt written, then q.txt" });
  expect((await decideOn(second.runId, second.toolCallId)).status).toBe(200);
  const log = await server().call(events, { as: "member", params: { runId: asked.run_id } });
  expect(parseEventStream(await log.text()).at(-1)).toMatchObject({ event: "run.completed" });
});

test("streams of the parent pause with what the subagent asks and end", async () => {
  const thread = newThread();
  const body = { messages: [{ role: "user", content: "Have s.txt written" }], thread_id: thread };
  const streamed = parseEventStream(
    await (await server().call(stream, asMember("boss", body, "/?format=wick"))).text(),
  );
  expect(streamed.map(({ event }) => event).slice(-2)).toEqual(["on_interrupt", "done"]);
  expect(streamed.at(-2)?.data).toMatchObject({ data: { interrupts: [{ tool: "write_file", subagent: "writer" }] } });
  expect(streamed.at(-1)?.data).toMatchObject({ data: { status: "waiting" } });
  const paused = z.object({ data: z.object({ interrupts: z.array(WireInterrupt) }) }).parse(streamed.at(-2)?.data);
  const decision = { tool_call_id: paused.data.interrupts[0]?.tool_call_id, decision: "allow" };
  const rest = parseEventStream(await (await resume(thread, [decision], { stream: true })).text());
  expect(rest.map(({ event }) => event).slice(-1)).toEqual(["run.completed"]);
  expect(rest.filter(({ event }) => event === "run.waiting")).toEqual([]);
});

test("a grant given where a subagent asked holds in the thread itself and in its later subagents", async () => {
  const thread = newThread();
  const asked = await say("Have g.txt written", thread);
  const scope = { tool_call_id: idsOf(asked)[0], decision: "allow", scope: "thread" };
  expect((await read(resume(thread, [scope]))).status).toBe("completed");
  const { grants: all } = await (await server().call(grants, { as: "member" })).json();
  expect(all[0]).toMatchObject({ agentId: "boss", threadTitle: "Have g.txt written", args: { path: "g.txt" } });
  expect((await say("Write g.txt", thread)).status).toBe("completed");
  expect((await say("Have g.txt written", thread)).status).toBe("completed");
  expect((await say("Write g.txt", newThread())).status).toBe("waiting");
});

test("a grant given in the thread itself holds for its subagents", async () => {
  const thread = newThread();
  const asked = await say("Write own.txt", thread);
  await resume(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow", scope: "thread" }]);
  expect((await say("Have own.txt written", thread)).status).toBe("completed");
});

test("what was declined to one subagent is not asked again by another in the same turn", async () => {
  const thread = newThread();
  const asked = await say("Have no.txt written twice, then yes.txt", thread);
  const denial = { tool_call_id: idsOf(asked)[0], decision: "deny", reason: "Never." };
  const next = await read(resume(thread, [denial]));
  expect([next.status, next.interrupts.map(({ args }) => args.path)]).toEqual(["waiting", ["yes.txt"]]);
  const [, second] = await server().database.run.findMany({
    where: { parentRunId: asked.run_id },
    orderBy: { id: "asc" },
  });
  const result = await server().database.message.findFirst({ where: { runId: second?.id, role: "tool" } });
  expect(result?.content).toMatch(/^The user declined this call: Never\..*It was not asked again\.$/s);
});

test("a new message declines what a subagent asks; answering it later is 409", async () => {
  const thread = newThread();
  const asked = await say("Have late.txt written", thread);
  expect((await say("hello", thread)).status).toBe("completed");
  const row = await server().database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
  expect(row.status).toBe("cancelled");
  const late = await resume(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]);
  expect((await late.json()).error.code).toBe("conflict");
});

test.each([false, true])("a client that leaves /resume cancels the run, unless detach is true: %s", async (detach) => {
  const thread = newThread();
  const asked = await say("Have l1.txt written, then l2.txt", thread);
  const next = await read(resume(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]));
  const leaving = new AbortController();
  leaving.abort();
  const decision = { tool_call_id: idsOf(next)[0], decision: "allow" };
  const request = new Request("http://127.0.0.1:3000/agents/boss/resume", {
    method: "POST",
    headers: { authorization: `Bearer ${await server().addKey("member", ["chat"])}` },
    body: JSON.stringify({ thread_id: thread, decisions: [decision], detach }),
    signal: leaving.signal,
  });
  await resumeRoute(request, { params: Promise.resolve({ id: "boss" }) });
  const row = () => server().database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
  await reached(async () => (await row()).endedAt !== null);
  expect((await row()).status).toBe(detach ? "completed" : "cancelled");
});
