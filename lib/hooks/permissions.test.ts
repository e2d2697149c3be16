import { expect, test } from "vitest";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { askUserTool } from "@/lib/tools/ask-user";
import { permissionsHook } from "./permissions";

const call = (text: string) => ({ name: "echo", args: { text } });

function hookOf(rules: object) {
  const permissions = PermissionsConfig.parse({ enabled: true, ...rules });
  return permissionsHook({ permissions, workdir: "/workspace" });
}

async function ask(texts: readonly string[], rules: object, test_: object = {}) {
  const runs: string[] = [];
  const tools = [echoTool({ runs })];
  const run = await runWith([{ calls: texts.map(call) }, "done"], { tools, hooks: [hookOf(rules)], ...test_ });
  return { ...run, runs };
}

const idOf = (events: readonly RunEvent[], text: string) =>
  events.flatMap((event) =>
    event.type === "approval.requested" && event.args.text === text ? event.toolCallId : [],
  )[0] ?? "";

test("an asked call waits while its siblings finish, and only it runs in the next segment", async () => {
  const rules = { ask: [{ tool: "echo", args: { text: "b" } }], allow: ["echo"] };
  const first = await ask(["a", "b", "c"], rules);
  expect([first.outcome.status, first.runs.toSorted()]).toEqual(["waiting", ["a", "c"]]);
  const decided = { type: "interrupt.decided", kind: "approval", decision: "allow", by: "u1" } as const;
  const events = [...first.events, { ...decided, toolCallId: idOf(first.events, "b") }];
  const second = await ask([], rules, { events, segment: 1 });
  expect(second.runs).toEqual(["b"]);
});

test("nobody is asked about a call that its tool refuses anyway: the model reads what is wrong", async () => {
  const runs: string[] = [];
  const wrong = [
    { name: "echo", args: { text: 7 } },
    { name: "echo", rawArgs: "{oops" },
  ];
  const asked = { tools: [echoTool({ runs })], hooks: [hookOf({ ask: ["echo"] })] };
  const { outcome } = await runWith([{ calls: wrong }, "done"], asked);
  expect([outcome.status, runs]).toEqual(["completed", []]);
  expect(outcome.added.map(({ content }) => content)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^invalid arguments: text/),
      expect.stringMatching(/^The arguments are not a JSON object/),
    ]),
  );
});

test("where nobody can be asked, an ask is a denial that says so", async () => {
  const { outcome, runs } = await ask(["a"], { mode: "default", ask: ["echo"] }, { canAsk: false });
  expect([outcome.status, runs]).toEqual(["completed", []]);
  expect(outcome.added[2]?.content).toMatch(/nobody can be asked in this run/);
});

test("denied tools are removed from the request", async () => {
  const { requests } = await ask(["a"], { deny: ["echo"] });
  expect(requests[0]?.tools).toEqual([]);
});

const questions = [{ question: "Which?", options: ["a", "b"] }];
const asking = { calls: [{ name: "ask_user", args: { questions } }] };

test("a question waits, and its answers are the result, in order", async () => {
  const first = await runWith([asking], { tools: [askUserTool] });
  expect([first.outcome.status, first.outcome.waitingFor]).toEqual(["waiting", ["question"]]);
  const asked = first.events.find((event) => event.type === "question.asked");
  if (!asked) return expect.unreachable();
  const { toolCallId } = asked;
  const decided = { type: "interrupt.decided", kind: "question", toolCallId, decision: "answer", by: "u1" } as const;
  const events: RunEvent[] = [...first.events, { ...decided, answers: ["b"] }];
  const second = await runWith(["done"], { tools: [askUserTool], events, segment: 1 });
  expect(second.outcome.added[2]?.content).toBe('{"answers":["b"]}');
});

test.each([0, 5])("a call with %i questions is refused", async (count) => {
  const args = { questions: Array(count).fill({ question: "Why?" }) };
  const { outcome } = await runWith([{ calls: [{ name: "ask_user", args }] }, "done"], { tools: [askUserTool] });
  expect(outcome.added[2]?.content).toMatch(/^invalid arguments: questions/);
});

test("where nobody can answer, the model is told to continue without an answer", async () => {
  const { outcome } = await runWith([asking, "done"], { tools: [askUserTool], canAsk: false });
  expect(outcome.added[2]?.content).toMatch(/^Nobody can be asked/);
});
