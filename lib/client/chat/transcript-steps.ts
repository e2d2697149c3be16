import type { DynamicToolUIPart } from "ai";
import type { FileData } from "@/lib/schema/files/file-data";
import { ToolPartOutput } from "@/lib/schema/messages/tool-part-output";
import type {
  ApprovalData,
  BudgetData,
  ConnectData,
  DataParts,
  HandoffData,
  NoticeData,
  QuestionData,
  RetryData,
  SubagentData,
  ToolMetaData,
} from "@/lib/schema/messages/ui-message";
import type { CompactionData } from "@/lib/schema/runs/compaction";
import { plainGist } from "@/lib/schema/tools/plain-gist";
import type { ToolKind } from "@/lib/schema/tools/tool";
import { ToolDisplay } from "@/lib/schema/tools/tool-display";
import type { ChatMessage } from "./chat-message";

type Part = ChatMessage["parts"][number];

/** One tool call as its card shows it. `writing` means that the model has not finished the arguments. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  /** The call's gist, in one line. */
  readonly gist: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: "writing" | "running" | "completed" | "failed";
  readonly output: string;
  readonly display: unknown;
  readonly error: string | null;
  readonly startedAtMs: number | null;
  readonly durationMs: number | null;
  readonly truncatedChars: number;
  /** Why it never ran, if it was not allowed to. */
  readonly refused: ToolMetaData["refused"] | null;
  readonly files: readonly FileData[];
  /** Set if an earlier decision allowed it. */
  readonly granted?: ToolMetaData["granted"];
  /** The progress that the running tool reports. */
  readonly progress?: ToolMetaData["progress"];
  /** Set if a person is or was asked to allow it. */
  readonly approval: ApprovalData | null;
}

export type TranscriptStep =
  | { readonly kind: "text"; readonly key: string; readonly text: string; readonly isStreaming: boolean }
  | { readonly kind: "reasoning"; readonly key: string; readonly text: string; readonly isStreaming: boolean }
  | { readonly kind: "tool"; readonly key: string; readonly call: ToolCallView }
  | { readonly kind: "tool-run"; readonly key: string; readonly calls: readonly ToolCallView[] }
  | { readonly kind: "approval"; readonly key: string; readonly approval: ApprovalData }
  | { readonly kind: "question"; readonly key: string; readonly question: QuestionData }
  | { readonly kind: "budget"; readonly key: string; readonly budget: BudgetData }
  | { readonly kind: "connect"; readonly key: string; readonly connect: ConnectData }
  | {
      readonly kind: "subagent";
      readonly key: string;
      readonly subagent: SubagentData;
      readonly call: ToolCallView;
    }
  | { readonly kind: "compaction"; readonly key: string; readonly compaction: CompactionData }
  | { readonly kind: "steer"; readonly key: string; readonly steer: DataParts["steer"] }
  | {
      readonly kind: "undo";
      readonly key: string;
      readonly undo: DataParts["undo"];
      /** It was not taken back. */
      readonly isInForce: boolean;
    }
  | { readonly kind: "handoff"; readonly key: string; readonly handoff: HandoffData }
  | { readonly kind: "retry"; readonly key: string; readonly retry: RetryData }
  | { readonly kind: "rebuilt"; readonly key: string; readonly reason: string }
  | { readonly kind: "remark"; readonly key: string; readonly text: string }
  | { readonly kind: "notice"; readonly key: string; readonly notice: NoticeData };

/** Facts about a message's calls from its other parts, by call id. */
interface CallParts {
  readonly metas: Map<string, ToolMetaData>;
  readonly files: Map<string, FileData[]>;
  readonly approvals: Map<string, ApprovalData>;
  readonly questions: Map<string, QuestionData>;
  /** Open connection asks, by the id of the call itself. */
  readonly connects: Map<string, ConnectData>;
  readonly subagents: Map<string, SubagentData>;
  /** The undos that were taken back. */
  readonly takenBack: Set<string>;
}

/** The parts of an assistant message as steps, in the order in which they happened. */
export function transcriptSteps(message: ChatMessage): TranscriptStep[] {
  const facts: CallParts = {
    metas: new Map(),
    files: new Map(),
    approvals: new Map(),
    questions: new Map(),
    connects: new Map(),
    subagents: new Map(),
    takenBack: new Set(),
  };
  for (const part of message.parts) notePart(part, facts);
  return foldReadOnlyCalls(message.parts.flatMap((part, index) => toStep(part, index, facts)));
}

function notePart(part: Part, facts: CallParts): void {
  const { metas, files, approvals, questions, connects, subagents, takenBack } = facts;
  if (part.type === "data-undo" && part.data.isBack) takenBack.add(part.data.undoId);
  if (part.type === "data-tool-meta") metas.set(part.data.toolCallId, part.data);
  if (part.type === "data-approval") approvals.set(part.data.toolCallId, part.data);
  if (part.type === "data-question") questions.set(part.data.toolCallId, part.data);
  if (part.type === "data-connect" && isOpenInterrupt(part.data)) {
    connects.set(part.data.toolCallId.replace(/~\d+$/, ""), part.data);
  }
  if (part.type === "data-subagent") subagents.set(part.data.toolCallId, part.data);
  if (part.type === "data-file" && part.data.toolCallId !== undefined) {
    files.set(part.data.toolCallId, [...(files.get(part.data.toolCallId) ?? []), part.data]);
  }
}

function toStep(part: Part, index: number, facts: CallParts): TranscriptStep[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      if (part.text.trim() === "") return [];
      return [
        { kind: part.type, key: `${part.type}-${index}`, text: part.text, isStreaming: part.state === "streaming" },
      ];
    case "dynamic-tool":
      return callSteps(part, facts);
    case "data-compaction":
      return [{ kind: "compaction", key: part.id ?? `compaction-${index}`, compaction: part.data }];
    case "data-handoff":
      return [{ kind: "handoff", key: `handoff-${part.data.toolCallId}`, handoff: part.data }];
    case "data-undo": {
      const isInForce = !part.data.isBack && !facts.takenBack.has(part.data.undoId);
      return [{ kind: "undo", key: part.id ?? `undo-${index}`, undo: part.data, isInForce }];
    }
    case "data-steer":
      return [{ kind: "steer", key: part.data.messageId, steer: part.data }];
    case "data-retry":
      return [{ kind: "retry", key: part.id ?? `retry-${index}`, retry: part.data }];
    case "data-rebuilt":
      return [{ kind: "rebuilt", key: `rebuilt-${index}`, reason: part.data.reason }];
    case "data-remark":
      return [{ kind: "remark", key: `remark-${index}`, text: part.data.text }];
    case "data-budget":
      return [{ kind: "budget", key: part.data.toolCallId, budget: part.data }];
    case "data-notice":
      return [{ kind: "notice", key: part.id ?? `notice-${index}`, notice: part.data }];
    default:
      return [];
  }
}

/**
 * A call that waits for a person is drawn as its ask, afterwards as the call itself. Questions that a tool asked during
 * its call precede it; `ask_user` is drawn only as its questions.
 */
function callSteps(part: DynamicToolUIPart, facts: CallParts): TranscriptStep[] {
  const key = part.toolCallId;
  const meta = facts.metas.get(key);
  const asked = questionsOf(key, facts);
  const isAsking = asked.some(({ question }) => isOpenInterrupt(question));
  if (asked.length > 0 && (isAsking || meta?.kind === undefined || meta.kind === "question")) return asked;
  const approval = facts.approvals.get(key) ?? null;
  if (approval && isOpenInterrupt(approval)) return [...asked, { kind: "approval", key, approval }];
  const connect = facts.connects.get(key);
  const hasEnded = part.state === "output-available" || part.state === "output-error";
  if (connect && !hasEnded) return [...asked, { kind: "connect", key, connect }];
  const call = toCall(part, meta, facts.files.get(key) ?? [], approval);
  const subagent = facts.subagents.get(key);
  return [...asked, subagent ? { kind: "subagent", key, subagent, call } : { kind: "tool", key, call }];
}

/** The first has its call's id, later ones are numbered: `call~2`. */
function questionsOf(callId: string, { questions }: CallParts) {
  const steps: Extract<TranscriptStep, { kind: "question" }>[] = [];
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? callId : `${callId}~${number}`;
    const question = questions.get(key);
    if (question === undefined) return steps;
    steps.push({ kind: "question", key: `question-${key}`, question });
  }
}

/** Whether an ask is undecided. */
export function isOpenInterrupt({
  status,
}: Pick<ApprovalData | QuestionData | BudgetData | ConnectData, "status">): boolean {
  return status === "requested" || status === "pending";
}

function toCall(
  part: DynamicToolUIPart,
  meta: ToolMetaData | undefined,
  files: readonly FileData[],
  approval: ApprovalData | null,
): ToolCallView {
  const { text = "", display } = ToolPartOutput.safeParse("output" in part ? part.output : undefined).data ?? {};
  return {
    ...callTexts(part, meta, approval?.editedArgs),
    id: part.toolCallId,
    name: part.toolName,
    kind: meta?.kind ?? (isFile(part.input) ? "edit" : kindOf(display)),
    state: callState(part.state),
    output: text,
    display,
    error: part.state === "output-error" ? part.errorText : null,
    startedAtMs: meta?.startedAtMs ?? null,
    durationMs: meta?.durationMs ?? null,
    truncatedChars: meta?.truncatedChars ?? 0,
    refused: meta?.refused ?? null,
    ...(meta?.progress ? { progress: meta.progress } : {}),
    // The call that was asked about ran because of the answer, even if the answer is a grant for later ones.
    ...(meta?.granted && approval === null ? { granted: meta.granted } : {}),
    files,
    approval,
  };
}

/** The arguments and their gist. The stored gist describes what the model wrote, not what a person replaced it with. */
function callTexts(part: DynamicToolUIPart, meta: ToolMetaData | undefined, edited: ApprovalData["editedArgs"]) {
  if (edited) return { args: edited, gist: plainGist(edited) };
  const args = typeof part.input === "object" && part.input !== null ? { ...part.input } : {};
  return { args, gist: meta?.gist ?? plainGist(args) };
}

const KINDS: Readonly<Record<ToolDisplay["kind"], ToolKind>> = {
  todos: "plan",
  "file-change": "edit",
  "file-text": "read",
  image: "read",
  entries: "read",
  files: "read",
  matches: "read",
  command: "command",
  mcp: "other",
  "web-page": "read",
  "web-hits": "read",
  schedules: "schedule",
};

/** Messages of earlier versions do not record the tool's kind; it is derived from the result. */
function kindOf(display: unknown): ToolKind {
  const parsed = ToolDisplay.safeParse(display);
  return parsed.success ? KINDS[parsed.data.kind] : "other";
}

/** A file that is being written or changed. */
function isFile(input: unknown): boolean {
  const {
    path,
    content,
    old_text: oldText,
  } = (input ?? {}) as { path?: unknown; content?: unknown; old_text?: unknown };
  return typeof path === "string" && (typeof content === "string" || typeof oldText === "string");
}

function callState(state: DynamicToolUIPart["state"]): ToolCallView["state"] {
  if (state === "input-streaming") return "writing";
  if (state === "output-available") return "completed";
  if (state === "output-error" || state === "output-denied") return "failed";
  return "running";
}

/**
 * Folds read-only calls: two or more in a row become one line. A single one keeps its card; a running call is never
 * folded away.
 */
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
  return call.kind === "read" && call.approval === null && (call.state === "completed" || call.state === "failed");
}
