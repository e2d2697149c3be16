import { expect, test } from "vitest";
import type { ModelRequest } from "@/lib/agent/model";
import { type ScriptedReply, scriptedModel } from "@/lib/models/scripted-model";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { runWith } from "@/lib/testing/scripted/run-with";
import { cleanReplies } from "./clean-replies";

const REQUEST: ModelRequest = { system: [], messages: [], tools: [], maxTokens: 100, temperature: null };

async function ask(reply: ScriptedReply, isSanitizing = true) {
  const shown: string[] = [];
  const model = cleanReplies(scriptedModel([reply]), { isSanitizing, maxOtherChars: 80 });
  const answer = await model.call(REQUEST, {
    signal: new AbortController().signal,
    onText: (text) => shown.push(text),
    onToolInput: (_id, name) => shown.push(`(${name})`),
    onRetry: () => shown.push("(again)"),
  });
  return { shown, answer };
}

/** The text that people see after these events, with text removed by resets. */
function textOf(events: readonly RunEvent[]): string {
  return events.reduce((text, event) => {
    if (event.type === "step.reset") return "";
    return event.type === "text.delta" ? text + event.delta : text;
  }, "");
}

test("what streams adds up to the reply that is stored", async () => {
  const { shown, answer } = await ask({ text: "<think>hm, hm</think>\n\nYes, <final>of course</final>. \n" });
  expect(answer.content).toBe("Yes, of course.");
  expect(shown.join("")).toBe(answer.content);
});

test("text before a call comes before its card, and arguments stay as the model wrote them", async () => {
  const rawArgs = '{"text":"<think>mine</think>"}';
  const { shown, answer } = await ask({ text: "I look. <", calls: [{ name: "ls", rawArgs }] });
  expect(shown.join("")).toBe("I look. <(ls)");
  expect(answer.toolCalls[0]?.rawArgs).toBe(rawArgs);
});

test("a repeated attempt starts again", async () => {
  const { shown } = await ask({ failedAttempt: { text: "<think>half a" }, text: "Whole." });
  expect(shown.join("")).toBe("(again)Whole.");
});

test("without sanitizing nothing is held back or removed", async () => {
  const { shown, answer } = await ask({ text: "\n<think>a</think> b <final \n" }, false);
  expect(shown).toEqual(["\n<think>a</think>", " b", " <final", " \n"]);
  expect(answer.content).toBe("\n<think>a</think> b <final \n");
});

test.each([true, false])("a silent reply shows nothing and is marked (sanitizing: %s)", async (isSanitizing) => {
  const { shown, answer } = await ask({ text: "NO_REPLY nothing new" }, isSanitizing);
  expect([shown, answer.content, answer.silent]).toEqual([[], "", true]);
});

test("a reply with calls is never silent, and its token is removed", async () => {
  const { shown, answer } = await ask({ text: "NO_REPLY", calls: [{ name: "ls" }] });
  expect([shown, answer.content, answer.silent]).toEqual([["(ls)"], "", undefined]);
});

test("an inner call that is not shown keeps the token", async () => {
  const model = cleanReplies(scriptedModel(["<think>x</think>NO_REPLY"]), { isSanitizing: true, maxOtherChars: 80 });
  const reply = await model.call(REQUEST, { signal: new AbortController().signal });
  expect([reply.content, reply.silent]).toEqual(["NO_REPLY", undefined]);
});

test("a run that ends with the token is completed, silent and without a notice", async () => {
  const { outcome } = await runWith([{ text: "NO_REPLY" }], { wrapModel, config: { default_response: "Sorry." } });
  expect(outcome).toMatchObject({ status: "completed", response: "", silent: true });
  expect(outcome.notice).toBeUndefined();
  expect(outcome.added.map(({ role }) => role)).toEqual(["user"]);
});

test("a token at the end voids what was shown with a reset", async () => {
  const { events, outcome } = await runWith([{ text: "All quiet. NO_REPLY" }], { wrapModel });
  const types = events.map(({ type }) => type).filter((type) => type !== "text.delta");
  expect(types).toEqual(["model.started", "step.reset", "model.completed"]);
  expect([textOf(events), outcome.response]).toEqual(["", ""]);
});

test("with more than 80 characters beside the token the text is delivered without it, and nothing is taken back", async () => {
  const text = "word ".repeat(17);
  const { events, outcome } = await runWith([{ text: `${text}NO_REPLY` }], { wrapModel });
  expect(events.some(({ type }) => type === "step.reset")).toBe(false);
  expect([textOf(events), outcome.response]).toEqual([text.trim(), text.trim()]);
});

function wrapModel(model: ReturnType<typeof scriptedModel>) {
  return cleanReplies(model, { isSanitizing: true, maxOtherChars: 80 });
}
