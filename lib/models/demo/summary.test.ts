import { expect, test } from "vitest";
import type { ModelRequest } from "@/lib/agent/model";
import { decide } from "./brain";

const tools = ["read_file", "write_file"].map((name) => ({ name, description: "", parameters: {} }));
const request = (change: Partial<ModelRequest>): ModelRequest => ({
  system: [],
  messages: [],
  tools: [],
  maxTokens: 100,
  temperature: null,
  ...change,
});

test("the demo model has nothing to add when memory is flushed", () => {
  const messages = [{ role: "user" as const, content: "Save now what must last, or answer NO_REPLY." }];
  const flush = request({ system: [{ name: "memory-flush", text: "Keep what will matter." }], messages, tools });
  expect(decide(flush)).toMatchObject({ say: "NO_REPLY", calls: [] });
});

test("the demo model sums up a conversation that is compacted", () => {
  const content =
    "Write the summary in under 614 words.\n\n<conversation>\n[User]\nlist files\n\n[Assistant]\nTwo files.\n</conversation>";
  const { say } = decide(request({ messages: [{ role: "user", content }] }));
  expect(say).toContain("- list files");
  expect(say).toContain("- Two files.");
});
