import { expect, test } from "vitest";
import { GET as runEvents } from "@/app/api/runs/[runId]/events/route";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { parseEventStream } from "@/lib/testing/servers/run-server";
import { writeCall } from "@/lib/testing/servers/scripted-turns";
import { POST as stream } from "./stream/route";

const { server, newThread, decideOn } = approvalServer({
  "Write and calculate": [{ calls: [writeCall("a.txt"), { name: "calculate", args: { expression: "6*7" } }] }],
});

interface Told {
  readonly event: string;
  readonly run_id: string;
  readonly name?: string;
  readonly data?: { readonly interrupts?: readonly { readonly tool_call_id: string }[] };
}

const told = async (reply: Response) => parseEventStream(await reply.text()).map(({ data }) => data as Told);

const toolEvents = (events: readonly Told[]) =>
  events.flatMap(({ event, name }) => (event.startsWith("on_tool") ? [`${event} ${name}`] : []));

test("the start of a call is sent once, before the approval it waits for, and not again when it continues", async () => {
  const thread = newThread();
  const body = { messages: [{ role: "user", content: "Write and calculate" }], thread_id: thread };
  const first = await told(await server().call(stream, { as: "member", params: { id: "asks" }, body }));
  expect(toolEvents(first)).toEqual(["on_tool_start write_file", "on_tool_start calculate", "on_tool_end calculate"]);
  const asked = first.find(({ event }) => event === "on_interrupt")?.data?.interrupts?.[0];
  const decisions = [{ tool_call_id: asked?.tool_call_id, decision: "allow" }];
  expect(toolEvents(await told(await decideOn(thread, decisions, { stream: true })))).toEqual([
    "on_tool_end write_file",
  ]);

  const runId = first[0]?.run_id ?? "";
  const whole = parseEventStream(await (await server().call(runEvents, { as: "member", params: { runId } })).text());
  const calls = whole.flatMap(({ event, data }) => (event === "tool.call" ? [(data as { name: string }).name] : []));
  expect(calls).toEqual(["write_file", "calculate"]);
  const stored = await server().database.runEvent.findMany({ where: { runId }, orderBy: { seq: "asc" } });
  const intents = stored.flatMap(({ type, data }) =>
    type === "tool.intent" ? [JSON.parse(data).toolCallIds.length] : [],
  );
  expect(intents).toEqual([2, 1]);
});
