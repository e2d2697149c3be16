import { describe, expect, it } from "vitest";
import type { Message } from "@/lib/schema/messages/message";
import { DEMO_TOOLS as ALL, demoRequest as toRequest } from "@/lib/testing/servers/converse-with-demo";
import { decide } from "./brain";

describe("demo model: earlier turns", () => {
  it("knows which file it meant before", () => {
    const written = { id: "1", name: "write_file", args: { path: "hello.py" }, rawArgs: "{}" };
    const messages: Message[] = [
      { role: "user", content: "create hello.py" },
      { role: "assistant", content: "", toolCalls: [written] },
      { role: "tool", toolCallId: "1", name: "write_file", content: "ok" },
      { role: "assistant", content: "Done.", toolCalls: [] },
    ];
    const ask = (content: string) => decide(toRequest([...messages, { role: "user", content }], ALL)).calls;
    expect(ask("run it")).toEqual([{ tool: "execute", args: { command: "python3 hello.py" } }]);
    expect(ask("now read it")).toEqual([{ tool: "read_file", args: { path: "hello.py" } }]);
    expect(ask("replace a with b in it")).toMatchObject([{ tool: "edit_file", args: { path: "hello.py" } }]);
  });

  it("continues where it stopped, and repeats a cancelled step", () => {
    const call = (id: string, name: string) => ({ id, name, args: {}, rawArgs: "{}" });
    const result = (id: string, content: string, isError: boolean): Message => ({
      role: "tool",
      toolCallId: id,
      name: "x",
      content,
      isError,
    });
    const messages: Message[] = [
      { role: "user", content: "create a.txt with x then list files" },
      { role: "assistant", content: "", toolCalls: [call("1", "write_file")] },
      result("1", "ok", false),
      { role: "assistant", content: "", toolCalls: [call("2", "read_file")] },
      result("2", "Cancelled before the tool had finished.", true),
      { role: "assistant", content: "I was", toolCalls: [] },
      { role: "user", content: "Continue." },
    ];
    expect(decide(toRequest(messages, ALL)).calls).toEqual([{ tool: "read_file", args: { path: "a.txt" } }]);
  });

  it("says that it is unfinished when its tools are taken away", async () => {
    const first = decide(toRequest([{ role: "user", content: "Plan a trip" }], ALL));
    const call = { id: "1", name: first.calls[0]?.tool ?? "", args: {}, rawArgs: "{}" };
    const messages: Message[] = [
      { role: "user", content: "Plan a trip" },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolCallId: "1", name: call.name, content: "ok" },
    ];
    const round = decide(toRequest(messages, []));
    expect(round.calls).toEqual([]);
    expect(round.say).toContain("not finished");
  });
});
