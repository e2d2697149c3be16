import { describe, expect, it } from "vitest";
import type { ChatMessage } from "./chat-message";
import { runGist } from "./tool-status";
import { transcriptSteps } from "./transcript-steps";

type Part = ChatMessage["parts"][number];

function call(id: string, toolName: string, change: object = {}): Part {
  const base = { type: "dynamic-tool", toolCallId: id, toolName, input: { path: id }, state: "output-available" };
  return { ...base, output: { text: "ok" }, ...change } as Part;
}

/** What a call's events say about its tool. */
function meta(toolCallId: string, kind: "read" | "edit"): Part {
  return { type: "data-tool-meta", id: toolCallId, data: { toolCallId, startedAtMs: 1, kind, gist: "" } };
}

function stepsOf(...parts: Part[]) {
  return transcriptSteps({ id: "m", role: "assistant", parts });
}

describe("transcriptSteps", () => {
  it("folds two looks in a row and keeps a write as its own card", () => {
    const steps = stepsOf(
      ...[call("a", "ls"), call("b", "read_file"), call("c", "write_file"), call("d", "grep")],
      ...[meta("a", "read"), meta("b", "read"), meta("c", "edit"), meta("d", "read")],
    );
    expect(steps.map(({ kind, key }) => [kind, key])).toEqual([
      ["tool-run", "a"],
      ["tool", "c"],
      ["tool", "d"],
    ]);
  });

  it("folds looks of messages that do not name the kind of their calls", () => {
    const output = { text: "", display: { kind: "entries", path: "", entries: [], omitted: 0 } };
    expect(stepsOf(call("a", "ls", { output }), call("b", "ls", { output })).map(({ kind }) => kind)).toEqual([
      "tool-run",
    ]);
  });

  it("never folds a call that still runs", () => {
    const steps = stepsOf(
      ...[call("a", "ls"), call("b", "ls", { state: "input-available", output: undefined })],
      ...[meta("a", "read"), meta("b", "read")],
    );
    expect(steps.map(({ kind }) => kind)).toEqual(["tool", "tool"]);
  });

  it("does not fold across words of the model", () => {
    const steps = stepsOf(
      ...[call("a", "ls"), { type: "text" as const, text: "Now the next." }, call("b", "ls")],
      ...[meta("a", "read"), meta("b", "read")],
    );
    expect(steps.map(({ kind }) => kind)).toEqual(["tool", "text", "tool"]);
  });

  it("says that a call ran by a grant only where it was not asked about itself", () => {
    const granted = { pattern: "npm test" };
    const asked = {
      toolCallId: "a",
      tool: "execute",
      args: {},
      expiresAt: null,
      status: "approved",
      requestedAtMs: 1,
      scope: "pattern",
      pattern: "npm test",
    };
    const metaOf = (id: string) => ({ type: "data-tool-meta", id, data: { toolCallId: id, granted } }) as Part;
    const approval = { type: "data-approval", id: "a", data: asked } as unknown as Part;
    const steps = stepsOf(call("a", "execute"), metaOf("a"), approval, call("b", "execute"), metaOf("b"));
    expect(steps.map((step) => (step.kind === "tool" ? step.call.granted : step.kind))).toEqual([undefined, granted]);
  });

  it("joins a call with its times, what was cut, and the files it changed", () => {
    const file = {
      path: "a.txt",
      operation: "created",
      version: 1,
      addedLines: 2,
      removedLines: 0,
      toolCallId: "a",
    } as const;
    const [step] = stepsOf(
      call("a", "write_file"),
      { type: "data-tool-meta", id: "a", data: { toolCallId: "a", startedAtMs: 5, durationMs: 40, truncatedChars: 9 } },
      { type: "data-file", id: "a.txt@1", data: file },
    );
    expect(step?.kind === "tool" && step.call).toMatchObject({ durationMs: 40, truncatedChars: 9, files: [file] });
  });

  it("shows what a failed call said", () => {
    const [step] = stepsOf(
      call("a", "execute", { state: "output-error", errorText: "no such file", output: undefined }),
    );
    expect(step?.kind === "tool" && [step.call.state, step.call.error]).toEqual(["failed", "no such file"]);
  });

  it("leaves out empty text and parts that are shown elsewhere", () => {
    expect(
      stepsOf({ type: "step-start" }, { type: "text", text: " " }, { type: "data-todos", data: { todos: [] } }),
    ).toEqual([]);
  });
});

describe("gists", () => {
  it("are what the tool said, and without that the most telling argument", () => {
    const meta = { toolCallId: "a", startedAtMs: 5, kind: "read", gist: "TODO in src" } as const;
    const [told] = stepsOf(call("a", "grep"), { type: "data-tool-meta", id: "a", data: meta });
    expect(told?.kind === "tool" && [told.call.kind, told.call.gist]).toEqual(["read", "TODO in src"]);
    const [earlier] = stepsOf(call("a", "weather", { input: { city: "Bern" } }));
    expect(earlier?.kind === "tool" && [earlier.call.kind, earlier.call.gist]).toEqual(["other", "city: Bern"]);
  });

  it("counts the names of a folded run", () => {
    expect(runGist([{ name: "grep" }, { name: "read_file" }, { name: "read_file" }])).toBe("grep, read_file ×2");
  });
});

it("keeps an undo in force until its taking back stands in the same reply", () => {
  const data = { undoId: "undo1", runId: "run1", by: "Mara", text: "undid the run.", atMs: 1, isBack: false };
  const undo = { type: "data-undo" as const, id: "undo1", data };
  const back = { type: "data-undo" as const, id: "undo1-back", data: { ...data, isBack: true } };
  const inForce = (parts: ChatMessage["parts"]) =>
    transcriptSteps({ id: "m", role: "assistant", parts }).map((step) => step.kind === "undo" && step.isInForce);
  expect(inForce([undo])).toEqual([true]);
  expect(inForce([undo, back])).toEqual([false, false]);
});
