import { expect, test } from "vitest";
import { z } from "zod";
import { POST as stream } from "@/app/agents/[id]/stream/route";
import { POST as testRule } from "@/app/api/agents/[agentId]/permissions/test/route";
import { GET as inbox } from "@/app/api/approvals/route";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { WireInterrupt } from "@/lib/schema/runs/interrupt";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { parseEventStream } from "@/lib/testing/servers/run-server";
import { writes } from "@/lib/testing/servers/scripted-turns";

const QUESTION = { question: "Which?", options: ["a", "b"] };
const asks = (questions: readonly object[]) => ({ calls: [{ name: "ask_user", args: { questions } }] });

const { server, newThread, say, decideOn, lastMessages } = approvalServer({
  "Write a.txt": [writes("a.txt")],
  "Write v1.txt": [writes("v1.txt")],
  "Write inbox.txt": [writes("inbox.txt")],
  "Edit a.txt": [{ calls: [{ name: "edit_file", args: { path: "a.txt", old_text: "a", new_text: "b" } }] }],
  "Ask me which": [asks([QUESTION])],
  "Ask me 0 questions": [asks([])],
  "Ask me 1 questions": [asks([QUESTION])],
  "Ask me 4 questions": [asks(Array(4).fill(QUESTION))],
  "Ask me 5 questions": [asks(Array(5).fill(QUESTION))],
});

test("a question waits for its answers, which are checked", async () => {
  const thread = newThread();
  const asked = await say("Ask me which", thread);
  expect(asked.interrupts).toMatchObject([{ kind: "question", tool: "ask_user", questions: [QUESTION] }]);
  const [id] = idsOf(asked);
  const answer = (answers: unknown) => decideOn(thread, [{ tool_call_id: id, decision: "answer", answers }]);
  const wrong = [[], [" "], [["a"]], ["a", "b"]].map(answer);
  expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect((await decideOn(thread, [{ tool_call_id: id, decision: "allow" }])).status).toBe(400);
  const done = await (await answer(["b"])).json();
  expect([done.status, done.tool_calls[0].output]).toEqual(["completed", '{"answers":["b"]}']);
});

test.each([
  [0, "completed", expect.stringContaining("invalid arguments: questions")],
  [1, "waiting", undefined],
  [4, "waiting", undefined],
  [5, "completed", expect.stringContaining("invalid arguments: questions")],
])("of %i questions in one call the run is %s", async (count, status, error) => {
  const asked = await say(`Ask me ${count} questions`, newThread());
  expect([asked.status, asked.tool_calls[0]?.error]).toEqual([status, error]);
  expect(asked.interrupts.flatMap(({ questions = [] }) => questions)).toHaveLength(status === "waiting" ? count : 0);
});

test("the options of a question are offers: the person may say something else", async () => {
  const thread = newThread();
  const [id] = idsOf(await say("Ask me which", thread));
  const own = { tool_call_id: id, decision: "answer", answers: ["neither"] };
  const done = await (await decideOn(thread, [own])).json();
  expect(done.tool_calls[0].output).toBe('{"answers":["neither"]}');
});

test("streams pause with one on_interrupt and done, and continue after the decision", async () => {
  const thread = newThread();
  const body = { messages: [{ role: "user", content: "Write a.txt" }], thread_id: thread };
  const options = { as: "member" as const, params: { id: "asks" }, method: "POST", path: "/agents/asks/stream", body };
  const first = parseEventStream(await (await server().call(stream, options)).text());
  expect(first.map(({ event }) => event).slice(-2)).toEqual(["on_interrupt", "done"]);
  const paused = z.object({ data: z.object({ interrupts: z.array(WireInterrupt) }) }).parse(first.at(-2)?.data);
  const id = paused.data.interrupts[0]?.tool_call_id;
  const rest = await decideOn(thread, [{ tool_call_id: id, decision: "allow" }], { stream: true });
  const events = parseEventStream(await rest.text());
  expect(events.map(({ event }) => event)).toEqual([
    "on_tool_end",
    "on_chat_model_start",
    "on_chat_model_stream",
    "on_chat_model_end",
    "done",
  ]);
});

test("the inbox shows what waits for its viewer only", async () => {
  const asked = await say("Write inbox.txt", newThread());
  const { approvals } = await (await server().call(inbox, { as: "member", path: "/api/approvals?limit=200" })).json();
  const mine = approvals.filter(({ runId }: { runId: string }) => runId === asked.run_id);
  expect(mine).toMatchObject([{ kind: "approval", agentName: "Asks", threadTitle: "Write inbox.txt" }]);
  const others = await (await server().call(inbox, { as: "admin" })).json();
  expect(others.approvals).toEqual([]);
  const foreign = await server().call(decisions, {
    as: "admin",
    method: "POST",
    params: { runId: asked.run_id },
    body: { decisions: [{ tool_call_id: idsOf(asked)[0], decision: "allow" }] },
  });
  expect(foreign.status).toBe(404);
});

test("a tool denied by a rule is not offered and its call reads the rule's text; plan mode only reads", async () => {
  const denied = await say("Edit a.txt", newThread());
  expect(denied.tool_calls[0]?.error).toMatch(/^The rules of this agent do not allow this edit_file call/);
  const offered = server()
    .provider.requests.at(-1)
    ?.body.tools?.map(({ function: { name } }) => name);
  expect(offered).not.toContain("edit_file");
  const planned = await say("Write a.txt", newThread(), "plans");
  expect(planned.tool_calls[0]?.error).toBe("Plan mode: write operations not allowed");
});

test("over /v1 an ask is a denial that says nobody can be asked", async () => {
  const body = { model: "agent:asks", messages: [{ role: "user", content: "Write v1.txt" }] };
  const reply = await server().call(complete, { as: "member", method: "POST", body });
  expect((await reply.json()).choices[0].finish_reason).toBe("stop");
  expect(lastMessages().at(-1)?.content).toMatch(/nobody can be asked in this run/);
});

test("the tester says which rule decides, in canonical names", async () => {
  const ask = async (tool: string, args: object) => {
    const options = { as: "admin" as const, method: "POST", params: { agentId: "asks" }, body: { tool, args } };
    return (await server().call(testRule, options)).json();
  };
  expect(await ask("Write", { file_path: "/workspace/a.txt", content: "" })).toMatchObject({
    verdict: "ask",
    by: "ask",
    tool: "write_file",
    rule: "write_file",
    offered: true,
  });
  expect(await ask("Edit", { path: "a" })).toMatchObject({ verdict: "deny", by: "deny", offered: false });
  expect(await ask("read_file", { path: "a" })).toMatchObject({ verdict: "allow", by: "mode" });
  expect((await ask("nothing", {})).error.code).toBe("not_found");
});
