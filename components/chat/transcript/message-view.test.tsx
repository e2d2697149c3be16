import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { MessageView } from "./message-view";

vi.mock("@/components/ui/markdown/markdown", () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }));

afterEach(cleanup);

type Part = ChatMessage["parts"][number];

function reply(parts: Part[], metadata: object = {}): ChatMessage {
  return { id: "m", role: "assistant", parts, metadata: { runId: "run_1", traceId: "tr_1", ...metadata } };
}

function tool(toolName: string, input: object, output: object, id = "c"): Part {
  return { type: "dynamic-tool", toolCallId: id, toolName, state: "output-available", input, output } as Part;
}

function show(message: ChatMessage, change: Partial<Parameters<typeof MessageView>[0]> = {}) {
  return render(
    <MessageView
      message={message}
      userName="Mara Klein"
      isLive={false}
      isLatest
      onNextStep={async () => undefined}
      {...change}
    />,
  );
}

function retryPart(change: object = {}): Part {
  const error = { code: "model_failed", message: "The provider x is limiting how often it can be called (429)." };
  const data = { attempt: 1, error, delayMs: 8000, model: "x:y", nextModel: "x:y", ...change };
  return { type: "data-retry", id: "retry-1", data } as Part;
}

describe("a failed attempt", () => {
  it("counts down to the next one while the run waits for it", () => {
    show(reply([retryPart({ untilMs: Date.now() + 60_000 })]), { isLive: true });
    expect(screen.getByText(/is limiting how often.* Next attempt in (59|60) s\./u)).toBeTruthy();
  });

  it("says afterwards what it waited for", () => {
    show(reply([retryPart({ untilMs: Date.now() - 1 }), { type: "text", text: "Here." }]));
    expect(screen.getByText(/^Attempt 1 failed: .*Tried again after 8.0 s\./u)).toBeTruthy();
    cleanup();
    show(reply([retryPart({ untilMs: Date.now() - 1, delayMs: 0 }), { type: "text", text: "Here." }]));
    expect(screen.getByText(/Tried again at once\./u)).toBeTruthy();
  });

  it("names the fallback model that answered instead", () => {
    show(reply([retryPart({ delayMs: 0, nextModel: "x:z" }), { type: "text", text: "Here." }]));
    expect(screen.getByText(/x:z was asked instead of x:y\./u)).toBeTruthy();
  });
});

describe("a message", () => {
  it.each([
    [3, "Coder v3"],
    ["draft", "Coder draft"],
  ])("names the agent that replied, with its version (%s)", (agentVersion, words) => {
    show(reply([{ type: "text", text: "Here." }], { agentName: "Coder", agentVersion }));
    expect(screen.getByText(words)).toBeTruthy();
  });

  it("opens the latest command with its output and exit code", async () => {
    const display = {
      kind: "command",
      command: "npm test",
      exitCode: 1,
      output: "1 failed",
      truncated: false,
      durationMs: 5,
    };
    show(reply([tool("execute", { command: "npm test" }, { text: "", display })]));
    expect((await screen.findByRole("group", { name: "Output" })).textContent).toBe("1 failed");
    expect(screen.getAllByText("exit 1").length).toBe(2);
  });

  it("opens an edit as a diff", async () => {
    const patch = "@@ -1 +1 @@\n-a\n+b\n";
    const display = {
      kind: "file-change",
      path: "a.ts",
      operation: "changed",
      sizeBytes: 1,
      addedLines: 1,
      removedLines: 1,
      patch,
    };
    show(reply([tool("edit_file", { path: "a.ts" }, { text: "", display })]));
    expect(await screen.findByRole("group", { name: "Changes in a.ts" })).toBeTruthy();
  });

  it("folds looks into one line with names and failures, and opens them", async () => {
    const failed = {
      type: "dynamic-tool",
      toolCallId: "b",
      toolName: "read_file",
      state: "output-error",
      input: { path: "b" },
      errorText: "no such file",
    };
    const looks = ["a", "b"].map(
      (id) => ({ type: "data-tool-meta", id, data: { toolCallId: id, startedAtMs: 1, kind: "read" } }) as Part,
    );
    show(reply([tool("ls", { path: "." }, { text: "a" }, "a"), failed as Part, ...looks]));
    const line = screen.getByRole("button", { name: /2 tool calls.*1 failed.*ls, read_file/u });
    fireEvent.click(line);
    fireEvent.click(screen.getByRole("button", { name: /read_file/u }));
    expect(await screen.findByText("no such file")).toBeTruthy();
  });

  it("shows arguments and result of a tool that it does not know", async () => {
    show(reply([tool("weather", { city: "Bern" }, { text: "sunny" })]));
    fireEvent.click(screen.getByRole("button", { name: /weather/u }));
    expect((await screen.findByRole("group", { name: "Code, arguments.json" })).textContent).toContain(
      '"city": "Bern"',
    );
    expect(screen.getByRole("group", { name: "Code, result" }).textContent).toContain("sunny");
  });

  it("keeps reasoning folded until it is opened", () => {
    show(reply([{ type: "reasoning", text: "First this.\nThen that.", state: "done" }]));
    const line = screen.getByRole("button", { name: /Reasoning/u });
    expect(line.getAttribute("aria-expanded")).toBe("false");
    fireEvent.click(line);
    expect(line.getAttribute("aria-expanded")).toBe("true");
  });

  it("says that the model is running once it has been silent for a while, and at once where nothing came yet", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { rerender } = show(reply([{ type: "text", text: "Done.", state: "done" }]), { isLive: true });
    expect(screen.queryByText("Working")).toBeNull();
    act(() => void vi.advanceTimersByTime(1000));
    expect(screen.getByText("Working")).toBeTruthy();
    rerender(<MessageView message={reply([])} userName="Ada" isLive isLatest onNextStep={null} />);
    expect(screen.getByText("Starting")).toBeTruthy();
    expect(screen.getByRole("article", { name: "Reply" }).getAttribute("aria-busy")).toBe("true");
  });

  it("says of a long message of one's own how much of it the model reads", () => {
    const message: ChatMessage = { id: "u", role: "user", parts: [{ type: "text", text: "x".repeat(1_201) }] };
    const props = { message, userName: "Ada", isLive: false, isLatest: false, onNextStep: null };
    const { rerender } = render(<MessageView {...props} maxChars={1_200} />);
    expect(screen.getByText("The model reads the first 1,200 of these 1,201 characters.")).toBeTruthy();
    rerender(<MessageView {...props} maxChars={1_201} />);
    expect(screen.queryByText(/The model reads/u)).toBeNull();
  });

  it("offers the next step on the newest reply only", async () => {
    const onNextStep = vi.fn(async () => undefined);
    const { unmount } = show(reply([{ type: "data-notice", id: "notice", data: { kind: "failed", text: "Why." } }]), {
      onNextStep,
    });
    fireEvent.click(await screen.findByRole("button", { name: "Retry" }));
    expect(onNextStep).toHaveBeenCalledExactlyOnceWith("run_1", "retry");
    unmount();
    show(reply([{ type: "data-notice", id: "notice", data: { kind: "failed", text: "Why." } }]), { isLatest: false });
    await screen.findByRole("heading", { name: "The run failed" });
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  });

  it("says of a stopped run what it left: what was written, or nothing", async () => {
    const stopped: Part = { type: "data-notice", id: "notice", data: { kind: "cancelled", text: "" } };
    show(reply([{ type: "text", text: "Half an" }, stopped]));
    expect(await screen.findByText("What was written so far is kept.")).toBeTruthy();
    cleanup();
    show(reply([stopped]));
    expect(await screen.findByText("Nothing had been written.")).toBeTruthy();
  });

  it("says why a Retry does not send what the failed step had sent", () => {
    show(reply([{ type: "data-rebuilt", data: { reason: "the model was a:1 and is b:2 now" } } as Part]));
    expect(screen.getByText(/was built again: the model was a:1 and is b:2 now\.$/u)).toBeTruthy();
  });

  it("says what the model was not shown", () => {
    const text = "photo.jpg is damaged. The model was not shown it.";
    show(reply([{ type: "data-remark", data: { text } } as Part]));
    expect(screen.getByText(text)).toBeTruthy();
  });

  it("offers no next step where the run's steps are no longer recorded, and says why", async () => {
    const notice = { type: "data-notice" as const, id: "notice", data: { kind: "limit" as const, text: "Why." } };
    show(reply([notice], { journal: "gone" }), { onNextStep: vi.fn() });
    await screen.findByText(/no longer recorded, so it cannot be continued/u);
    expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
  });

  it("says which model answered, how long it took and what it cost", () => {
    const usage = {
      inputTokens: 900,
      cachedReadTokens: 0,
      cachedWriteTokens: 0,
      outputTokens: 100,
      reasoningTokens: 0,
    };
    show(
      reply([{ type: "text", text: "Done" }], {
        model: "demo:demo",
        usage,
        costUsd: null,
        startedAtMs: 0,
        endedAtMs: 4200,
      }),
    );
    expect(screen.getByText("demo model · 4.2 s · 1k tokens · cost unknown")).toBeTruthy();
  });

  it("tells the time that it worked from the time that it waited for a person", () => {
    show(reply([{ type: "text", text: "Done" }], { startedAtMs: 0, endedAtMs: 2_776_000, waitedMs: 2_775_000 }));
    expect(screen.getByText("worked 1.0 s · waited 46 min 15 s")).toBeTruthy();
  });

  it("asks for a call that waits, and afterwards shows the call with what was decided", async () => {
    const call = { type: "dynamic-tool", toolCallId: "c", toolName: "execute", input: { command: "ls" } } as const;
    const asked = { toolCallId: "c", tool: "execute", args: { command: "ls" }, requestedAtMs: 1 };
    const { unmount } = show(
      reply([
        { ...call, state: "input-available" } as Part,
        { type: "data-approval", id: "c", data: { ...asked, status: "pending" } },
      ]),
    );
    expect((await screen.findByRole("region", { name: /^Approval: execute/u })).textContent).toContain("$ ls");
    unmount();
    show(
      reply([
        { ...call, state: "output-error", errorText: "Denied by the user." } as Part,
        {
          type: "data-approval",
          id: "c",
          data: { ...asked, status: "denied", note: "Not now", decidedAtMs: 2, decidedBy: "Ada", decidedVia: "inbox" },
        },
      ]),
    );
    expect(screen.queryByRole("region", { name: /^Approval: execute/u })).toBeNull();
    expect(screen.getByText("denied")).toBeTruthy();
    expect(screen.getByText(/^Denied by Ada, in the inbox/)).toBeTruthy();
    expect(screen.queryByText("failed")).toBeNull();
    expect(screen.getByText("“Not now”")).toBeTruthy();
  });

  it("keeps an answered question with its answer", async () => {
    const questions = [{ question: "Which year?", options: ["fiscal", "calendar"] }];
    show(
      reply([
        tool("ask_user", { questions }, { text: "" }),
        {
          type: "data-question",
          id: "c",
          data: { toolCallId: "c", questions, status: "answered", answers: ["fiscal"], requestedAtMs: 1 },
        },
      ]),
    );
    expect((await screen.findByRole("article", { name: /^Answered question: Which year/u })).textContent).toBe(
      "Which year?fiscalAnswered",
    );
  });

  it("marks where earlier messages were summarised", () => {
    const data = {
      compacted: 48,
      kept: 4,
      tokensBefore: 96_400,
      tokensAfter: 3_100,
      estimated: true as const,
      count: 1,
    };
    show(
      reply([
        { type: "data-compaction", id: "compaction-1", data: { ...data, memoryFlushed: false, summary: "All of it." } },
      ]),
    );
    const line = screen.getByRole("button", { name: /Earlier messages were summarised/u });
    expect(line.textContent).toContain("48 messages");
    expect(line.textContent).toContain("about 96.4k → 3.1k tokens");
    fireEvent.click(line);
    expect(screen.getByText("All of it.")).toBeTruthy();
  });
});
