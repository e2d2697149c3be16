import { expect, it } from "vitest";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { revisionChanges, startersFor } from "./test-threads";

function message(role: "user" | "assistant", runId: string, draftRevision?: number): ChatMessage {
  return { id: `${role} ${runId}`, role, parts: [], metadata: { runId, draftRevision } };
}

it("finds the message before which the draft changed", () => {
  const messages = [
    ...[message("user", "a"), message("assistant", "a", 36)],
    ...[message("user", "b"), message("assistant", "b", 36)],
    ...[message("user", "c"), message("assistant", "c", 38)],
  ];
  expect([...revisionChanges(messages)]).toEqual([["user c", { before: 36, after: 38 }]]);
});

it("offers three things to begin with, also without a description", () => {
  expect(startersFor("Reads, writes and runs code. Slowly.")[0]).toBe("Show me what you do: reads, writes");
  expect(startersFor("").length).toBe(2);
});
