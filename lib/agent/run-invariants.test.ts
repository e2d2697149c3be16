import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { runWith } from "@/lib/testing/scripted/run-with";
import { actionTool } from "@/lib/testing/scripted/test-tools";
import { Messages } from "./messages/messages";

/** How a call behaves: works, fails, is unknown, or has broken arguments. */
const call = fc.constantFrom(
  { name: "work" },
  { name: "fail" },
  { name: "nowhere" },
  { name: "work", rawArgs: "{broken" },
  { name: "work", id: "the_same" },
);
const step = fc.record({ text: fc.string({ maxLength: 12 }), calls: fc.array(call, { minLength: 1, maxLength: 5 }) });
const script = fc.record({ steps: fc.array(step, { maxLength: 4 }), maxParallel: fc.integer({ min: 1, max: 3 }) });

test("whatever the model does, the conversation stays valid and no tool runs before its intent is stored", async () => {
  await fc.assert(
    fc.asyncProperty(script, async ({ steps, maxParallel }) => {
      const emitted: RunEvent[] = [];
      let stored = 0;
      const isStored = (id: string) =>
        emitted.slice(0, stored).some((event) => event.type === "tool.call" && event.call.id === id);
      const work = actionTool("work", async (_, { call: { id } }) => (isStored(id) ? "ok" : "ran too early"));
      const fail = actionTool("fail", () => Promise.reject(new Error("no")));
      const { outcome } = await runWith([...steps, "done"], {
        tools: [work, fail],
        config: { tool_settings: { max_parallel: maxParallel }, loop_guard: { enabled: false } },
        onEvent: (event) => emitted.push(event),
        onCommit: () => {
          stored = emitted.length;
        },
      });

      const { added } = outcome;
      expect(outcome.status).toBe("completed");
      expect(added.map((message) => message.content)).not.toContain("ran too early");
      new Messages(added).validate();
      const asked = added
        .flatMap((message) => (message.role === "assistant" ? message.toolCalls : []))
        .map(({ id }) => id);
      const answered = added.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
      expect(answered).toEqual(asked);
      expect(new Set(asked).size).toBe(asked.length);
    }),
    { numRuns: 60 },
  );
});
