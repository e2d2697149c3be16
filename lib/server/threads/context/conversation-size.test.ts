import { expect, test } from "vitest";
import type { Message } from "@/lib/schema/messages/message";
import { largestResults, stepGrowth } from "./conversation-size";

const step = (id: string, file: string, chars: number): Message[] => [
  {
    role: "assistant",
    content: "",
    toolCalls: [{ id, name: "read_file", args: { path: file }, rawArgs: JSON.stringify({ path: file }) }],
  },
  { role: "tool", toolCallId: id, name: "read_file", content: "x".repeat(chars) },
];

test("results are listed by size, each with what was asked", () => {
  const messages: Message[] = [{ role: "user", content: "go" }, ...step("1", "a.txt", 40), ...step("2", "b.txt", 400)];
  const results = largestResults(messages, messages, 4);
  expect(results.map(({ tool, gist }) => `${tool} ${gist}`)).toEqual(["read_file b.txt", "read_file a.txt"]);
  expect(results[0]?.tokens).toBeGreaterThanOrEqual(100);
  expect(results[0]?.cutFrom).toBeNull();
  const cut = largestResults(step("2", "b.txt", 40), messages, 4);
  expect(cut[0]).toMatchObject({ tokens: results[1]?.tokens, cutFrom: results[0]?.tokens });
});

test("the growth of a step is that of the last ones, and unknown after a single one", () => {
  const one = step("1", "a.txt", 40_000);
  expect(stepGrowth(one, 4)).toBeNull();
  const five = ["2", "3", "4", "5", "6"].flatMap((id) => step(id, "b.txt", 400));
  const growth = stepGrowth([...one, ...five], 4) ?? 0;
  expect(growth).toBeGreaterThanOrEqual(100);
  expect(growth).toBeLessThan(200);
});
