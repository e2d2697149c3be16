import assert from "node:assert/strict";
import { test } from "node:test";
import { call, runHook } from "ringmaster/testing";
import officeHours from "./index.ts";

test("the model reads that the office is open, in every call", async () => {
  const run = await runHook(officeHours, {
    model: [call("look"), "Hi."],
    tools: { look: "nothing" },
    now: "2026-01-05T10:00:00",
  });
  const first = run.requests.map(({ messages }) => messages[0]?.content);
  assert.deepEqual(first, ["[The office is open.]", "[The office is open.]"]);
});

test("at night it also reads what to do instead", async () => {
  const run = await runHook(officeHours, { model: ["Hi."], now: "2026-01-05T22:00:00" });
  assert.equal(run.requests[0]?.messages[0]?.content, "[The office is closed until 9:00.]");
  assert.match(run.requests[0]?.system[0]?.text ?? "", /Take a note instead of promising a call\.$/);
});

test("what the user wrote is stored as it was", async () => {
  const { messages } = await runHook(officeHours, { model: ["Hi."] });
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["Hello", "Hi."],
  );
});
