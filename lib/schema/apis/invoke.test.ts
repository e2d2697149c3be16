import { expect, test } from "vitest";
import { ClientThreadId } from "./invoke";

test.each(["a\0b", "a\nb", "\ud800", ""])("a thread id like %j is refused", (id) => {
  expect(ClientThreadId.safeParse(id).success).toBe(false);
});

test.each(["order 7", "füße-🦦", "x".repeat(200)])("a thread id like %j is accepted", (id) => {
  expect(ClientThreadId.safeParse(id).success).toBe(true);
});
