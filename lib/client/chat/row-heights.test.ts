import { expect, it } from "vitest";
import type { ChatMessage } from "./chat-message";
import { firstDrawn, roughHeight } from "./row-heights";

const said = (role: "user" | "assistant", text: string): ChatMessage => ({
  id: text.slice(0, 9),
  role,
  parts: [{ type: "text", text }],
});

it("takes a long reply for higher than a short one, by its lines", () => {
  const short = roughHeight(said("assistant", "Yes."));
  expect(roughHeight(said("assistant", "A line.\n".repeat(100)))).toBeGreaterThan(5 * short);
  expect(roughHeight(said("assistant", "Words of one paragraph. ".repeat(300)))).toBeGreaterThan(4 * short);
  expect(roughHeight(said("user", "Yes?"))).toBeLessThan(short);
  expect(roughHeight(undefined)).toBe(short);
});

it("draws fewer messages at first where the last ones are long", () => {
  const thread = (reply: string) =>
    Array.from({ length: 40 }, (_, index) => said(index % 2 === 0 ? "user" : "assistant", `${index} ${reply}`));
  const short = firstDrawn(thread("Yes."));
  const long = firstDrawn(thread("A line.\n".repeat(100)));
  expect(short.length).toBeGreaterThan(long.length);
  expect(long).toHaveLength(5);
  expect(short.at(-1)?.id).toBe("39 Yes.");
  expect(firstDrawn([])).toEqual([]);
  expect(firstDrawn(thread("Yes.").slice(0, 3))).toHaveLength(3);
});

it("reads a message once, however often it is asked for, and no more of a text than fills a screen", () => {
  let reads = 0;
  const part = {
    type: "text" as const,
    get text() {
      reads += 1;
      return "A line.\n".repeat(100_000);
    },
  };
  const message: ChatMessage = { id: "a", role: "assistant", parts: [part] };
  expect(roughHeight(message)).toBe(roughHeight(message));
  expect(reads).toBe(1);
  expect(roughHeight(message)).toBeLessThan(100_000);
});
