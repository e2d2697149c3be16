import type { DynamicToolUIPart } from "ai";
import {
  type FileData,
  type NoticeData,
  type RetryData,
  type ToolMetaData,
  ToolPartOutput,
} from "@/lib/schema/ui-message";
import type { ChatMessage } from "./chat-message";

type Part = ChatMessage["parts"][number];

/** One tool call as its card shows it. `writing` means that the model has not finished the arguments. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: "writing" | "running" | "completed" | "failed";
  readonly output: string;
  readonly display: unknown;
  readonly error: string | null;
  readonly startedAtMs: number | null;
  readonly durationMs: number | null;
  readonly truncatedChars: number;
  readonly files: readonly FileData[];
}

export type TranscriptStep =
  | { readonly kind: "text"; readonly key: string; readonly text: string; readonly isStreaming: boolean }
  | { readonly kind: "reasoning"; readonly key: string; readonly text: string; readonly isStreaming: boolean }
  | { readonly kind: "tool"; readonly key: string; readonly call: ToolCallView }
  | { readonly kind: "tool-run"; readonly key: string; readonly calls: readonly ToolCallView[] }
  | { readonly kind: "retry"; readonly key: string; readonly retry: RetryData }
  | { readonly kind: "notice"; readonly key: string; readonly notice: NoticeData };

/** Calls that only look; two or more in a row fold into one line. */
const READ_ONLY = new Set(["ls", "read_file", "glob", "grep", "load_skill", "current_datetime", "calculate"]);

/** The parts of an assistant message as steps, in the order in which they happened. */
export function transcriptSteps(message: ChatMessage): TranscriptStep[] {
  const metas = new Map<string, ToolMetaData>();
  const files = new Map<string, FileData[]>();
  for (const part of message.parts) {
    if (part.type === "data-tool-meta") metas.set(part.data.toolCallId, part.data);
    if (part.type === "data-file" && part.data.toolCallId !== undefined) {
      files.set(part.data.toolCallId, [...(files.get(part.data.toolCallId) ?? []), part.data]);
    }
  }
  const steps = message.parts.flatMap((part, index) => toStep(part, index, metas, files));
  return foldReadOnlyCalls(steps);
}

function toStep(
  part: Part,
  index: number,
  metas: ReadonlyMap<string, ToolMetaData>,
  files: ReadonlyMap<string, readonly FileData[]>,
): TranscriptStep[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      if (part.text.trim() === "") return [];
      return [
        { kind: part.type, key: `${part.type}-${index}`, text: part.text, isStreaming: part.state === "streaming" },
      ];
    case "dynamic-tool": {
      const call = toCall(part, metas.get(part.toolCallId), files.get(part.toolCallId) ?? []);
      return [{ kind: "tool", key: part.toolCallId, call }];
    }
    case "data-retry":
      return [{ kind: "retry", key: part.id ?? `retry-${index}`, retry: part.data }];
    case "data-notice":
      return [{ kind: "notice", key: part.id ?? `notice-${index}`, notice: part.data }];
    default:
      return [];
  }
}

function toCall(part: DynamicToolUIPart, meta: ToolMetaData | undefined, files: readonly FileData[]): ToolCallView {
  const output = ToolPartOutput.safeParse("output" in part ? part.output : undefined);
  const input: unknown = part.input;
  return {
    id: part.toolCallId,
    name: part.toolName,
    args: typeof input === "object" && input !== null ? { ...input } : {},
    state: callState(part.state),
    output: output.success ? output.data.text : "",
    display: output.success ? output.data.display : undefined,
    error: part.state === "output-error" ? part.errorText : null,
    startedAtMs: meta?.startedAtMs ?? null,
    durationMs: meta?.durationMs ?? null,
    truncatedChars: meta?.truncatedChars ?? 0,
    files,
  };
}

function callState(state: DynamicToolUIPart["state"]): ToolCallView["state"] {
  if (state === "input-streaming") return "writing";
  if (state === "output-available") return "completed";
  if (state === "output-error" || state === "output-denied") return "failed";
  return "running";
}

/** A single look stays a card of its own line; a call that goes on is never folded away. */
function foldReadOnlyCalls(steps: readonly TranscriptStep[]): TranscriptStep[] {
  const folded: TranscriptStep[] = [];
  for (const step of steps) {
    const last = folded.at(-1);
    if (step.kind !== "tool" || !isFinishedLook(step.call)) {
      folded.push(step);
    } else if (last?.kind === "tool-run") {
      folded[folded.length - 1] = { ...last, calls: [...last.calls, step.call] };
    } else if (last?.kind === "tool" && isFinishedLook(last.call)) {
      folded[folded.length - 1] = { kind: "tool-run", key: last.key, calls: [last.call, step.call] };
    } else {
      folded.push(step);
    }
  }
  return folded;
}

function isFinishedLook(call: ToolCallView): boolean {
  return READ_ONLY.has(call.name) && (call.state === "completed" || call.state === "failed");
}
