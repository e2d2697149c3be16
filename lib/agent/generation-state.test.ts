import { expect, test } from "vitest";
import { runWith } from "@/lib/testing/run-with";
import { guardHook } from "./guard";
import { human } from "./messages";

test("a guard that adds a message leaves the shortening of long ones as it is", async () => {
  const adds = guardHook("adds", {
    preGeneration: async (state) => void state.messages.unshift(human("first")),
  });
  const { requests } = await runWith(["ok"], {
    config: { max_message_chars: 3 },
    input: [human("abcdef")],
    hooks: [adds],
  });
  expect(requests[0]?.messages.map(({ content }) => content)).toEqual([
    "first",
    "abc\n\n[This message was shortened: it has 6 characters, of which you see the first 3.]",
  ]);
});
