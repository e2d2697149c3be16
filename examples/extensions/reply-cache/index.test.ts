import assert from "node:assert/strict";
import { test } from "node:test";
import { runHook } from "ringmaster/testing";
import replyCache from "./index.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;

test("the same request is answered from memory, and costs nothing", async () => {
  await runHook(replyCache, { model: [{ text: "Paris.", usage: { outputTokens: 3 } }], message: "Capital of France?" });
  const again = await runHook(replyCache, { model: [], message: "Capital of France?" });
  assert.equal(again.response, "Paris.");
  assert.equal(again.requests.length, 0);
  assert.equal(again.usage.outputTokens, 0);
});

test("another question is asked", async () => {
  await runHook(replyCache, { model: ["Rome."], message: "Capital of Italy?" });
  const other = await runHook(replyCache, { model: ["Madrid."], message: "Capital of Spain?" });
  assert.equal(other.response, "Madrid.");
});

test("after its time the model is asked again", async () => {
  const question = { message: "What time is it?", config: { minutes: 10 } };
  await runHook(replyCache, { ...question, model: ["Noon."], now: NOON });
  const later = await runHook(replyCache, { ...question, model: ["Later."], now: NOON + 11 * MINUTE });
  assert.equal(later.response, "Later.");
});

test("a reply that was cut off is not kept", async () => {
  const cut = { text: "One, two,", finishReason: "length" as const };
  await runHook(replyCache, { model: [cut], message: "Count." });
  const again = await runHook(replyCache, { model: ["One, two, three."], message: "Count." });
  assert.equal(again.response, "One, two, three.");
});
