import type { Effort } from "@/lib/schema/agents/choices";
import { nameAttached } from "@/lib/schema/messages/attached-files";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import type { ThreadFrames } from "@/lib/schema/threads/thread-stream";
import { type ChatMessage, isAskPart, isShown, toChatMessages, visibleMessages } from "./chat-message";

/** A run received through the thread's stream. */
interface StreamedRun {
  readonly id: string;
  /** Null until it has produced output. */
  readonly reply: ChatMessage | null;
  /** Null while it is running. */
  readonly endedAs: ThreadFrames["run-end"]["status"] | null;
}

/** A message sent from this page. `key` is its idempotency key: it is one message however often it is sent. */
export interface Outgoing {
  readonly key: string;
  readonly text: string;
  readonly files: readonly File[];
  readonly model: string | null;
  readonly effort?: Effort | null;
  /** The answering agent, if not the thread's. */
  readonly agentId?: string | undefined;
  /** The active run reads it at its next model call. */
  readonly steers?: boolean;
  /** The message text for the server, once the files are in the workspace. */
  readonly content: string | null;
  readonly status: "sending" | "sent" | "failed";
  /** Why sending failed. */
  readonly problem: string | null;
  /** The run that answers it, once the server has accepted it. */
  readonly runId: string | null;
  /** The stored data has been refetched since: if the message is not there, it was removed, or read as a steer. */
  readonly isSettled?: boolean;
}

/** The page's state of a thread beyond what is stored. */
export interface ThreadState {
  /** The run being read, or read last, and the one before it: its reply may not be stored here yet. */
  readonly runs: readonly StreamedRun[];
  readonly outgoing: readonly Outgoing[];
  readonly connection: "connected" | "reconnecting";
  /** Why the thread can no longer be followed. */
  readonly error: Error | null;
}

export type ThreadAction =
  | { readonly type: "run-started"; readonly runId: string }
  | { readonly type: "reply"; readonly reply: ChatMessage }
  | { readonly type: "run-ended"; readonly status: ThreadFrames["run-end"]["status"] }
  | { readonly type: "reset" }
  | { readonly type: "connection"; readonly connection: ThreadState["connection"] }
  | { readonly type: "refused"; readonly error: Error }
  | { readonly type: "sending"; readonly message: Outgoing }
  | { readonly type: "outgoing"; readonly key: string; readonly change: Partial<Outgoing> }
  | { readonly type: "discarded"; readonly key: string };

export const INITIAL_STATE: ThreadState = { runs: [], outgoing: [], connection: "connected", error: null };

const KEPT_RUNS = 2;

export function reduceThread(state: ThreadState, action: ThreadAction): ThreadState {
  switch (action.type) {
    case "run-started": {
      const runs = [...state.runs, { id: action.runId, reply: null, endedAs: null }];
      const old = new Set<string | null>(runs.slice(0, -KEPT_RUNS).map(({ id }) => id));
      const outgoing = state.outgoing.filter(({ runId }) => !old.has(runId));
      return { ...state, outgoing, runs: runs.slice(-KEPT_RUNS) };
    }
    case "reply":
      return changeLastRun(state, { reply: action.reply });
    case "run-ended":
      return changeLastRun(state, { endedAs: action.status });
    case "reset":
      return { ...state, runs: [] };
    case "connection":
      return { ...state, connection: action.connection, error: null };
    case "refused":
      return { ...state, connection: "connected", error: action.error };
    case "sending":
      return { ...state, outgoing: [...state.outgoing, action.message] };
    case "outgoing":
      return { ...state, outgoing: state.outgoing.map((one) => changed(one, action)) };
    case "discarded":
      return { ...state, outgoing: state.outgoing.filter(({ key }) => key !== action.key) };
  }
}

function changeLastRun(state: ThreadState, change: Partial<StreamedRun>): ThreadState {
  const last = state.runs.at(-1);
  return last === undefined ? state : { ...state, runs: [...state.runs.slice(0, -1), { ...last, ...change }] };
}

function changed(
  one: Outgoing,
  { key, change }: { readonly key: string; readonly change: Partial<Outgoing> },
): Outgoing {
  return one.key === key ? { ...one, ...change } : one;
}

type OpenRun = ThreadDetail["openRuns"][number];

/** A message queued behind the current run. `isSending`: the server has not accepted it yet. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
  /** Read at the active run's next model call; such messages come first. */
  readonly steers?: boolean;
  /** Chosen for it instead of the agent's own. */
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  /** The answering agent, if not the thread's. */
  readonly agentId?: string | undefined;
  readonly isSending?: boolean;
}

/** A thread as the page shows it: what is stored, and what has arrived since. */
export interface ThreadView {
  readonly messages: readonly ChatMessage[];
  /**
   * The run that is running or waiting; null if there is none, and until the server has accepted the message that
   * starts one.
   */
  readonly currentRunId: string | null;
  readonly isRunning: boolean;
  /** The run is paused until a person decides. */
  readonly isWaiting: boolean;
  /** Something waits for a person, in the run or in one of its subagents: a new message declines it (D-53). */
  readonly isAsked: boolean;
  readonly queued: readonly QueuedMessage[];
  /** A run of another branch is active; with `waitsElsewhere` this branch's current one waits for it to end. */
  readonly isRunningElsewhere: boolean;
  readonly waitsElsewhere: boolean;
  /** Messages that could not be sent, in order. */
  readonly unsent: readonly Outgoing[];
}

/** Combines what is stored with what was streamed and sent since; stored data wins. */
export function viewThread(detail: ThreadDetail, whole: ThreadState): ThreadView {
  const { stored, state, isRunningElsewhere } = onBranch(detail, whole);
  const known = knownOf(stored);
  const { open, live } = openRuns(stored, state, known);
  const [current = null, ...waiting] = open;
  const pending = state.outgoing.filter(
    (one) => one.status !== "failed" && !one.isSettled && !isKnown(one, state, known),
  );
  const isFree = current === null;
  const sending = pending.slice(isFree ? 1 : 0).map(({ key, runId, text, agentId, steers = false }) => ({
    id: runId ?? key,
    text,
    agentId,
    steers,
    isSending: true,
  }));
  const queued = [...waiting.map(asQueued), ...sending].toSorted(
    (left, right) => Number(right.steers) - Number(left.steers),
  );
  const isWaiting = current !== null && (live ? waitsForPerson(live.reply) : current.status === "waiting");
  const stands = withSent(visibleMessages(stored.messages, new Set(queued.map(({ id }) => id))), current);
  const shown = withPlaces(withStreamed(stands, state, known), stored);
  return {
    messages: [...shown, ...pending.slice(0, isFree ? 1 : 0).map(asMessage)].filter(isShown),
    currentRunId: current?.id ?? null,
    isRunning: (current !== null || pending.length > 0) && !isWaiting,
    isWaiting,
    isAsked: isWaiting || current?.status === "waiting",
    queued,
    isRunningElsewhere,
    waitsElsewhere: isRunningElsewhere && current?.status === "queued",
    unsent: state.outgoing.filter(({ status }) => status === "failed"),
  };
}

/** Excludes the runs of other branches: a streamed run belongs to this branch once it is stored as part of it. */
function onBranch(detail: ThreadDetail, whole: ThreadState) {
  if (!detail.branches) return { stored: detail, state: whole, isRunningElsewhere: false };
  const stored = { ...detail, openRuns: detail.openRuns.filter(({ elsewhere }) => elsewhere !== true) };
  const { runs } = knownOf(stored);
  const ended = new Set(whole.runs.flatMap(({ id, endedAs }) => (endedAs === null ? [] : [id])));
  return {
    stored,
    state: { ...whole, runs: whole.runs.filter(({ id }) => runs.has(id)) },
    isRunningElsewhere: detail.openRuns.some(
      ({ id, elsewhere, status }) => elsewhere === true && status !== "queued" && !ended.has(id),
    ),
  };
}

/** A reply being written has its place in the tree, like stored ones. */
function withPlaces(messages: readonly ChatMessage[], { branches, openRuns }: ThreadDetail): readonly ChatMessage[] {
  if (!branches) return messages;
  return messages.map((message) => {
    const run = openRuns.find(({ id }) => id === message.metadata?.runId);
    const place = message.role === "user" ? run?.messagePlace : run?.replyPlace;
    if (!run || !place) return message;
    return { ...message, metadata: { ...message.metadata, runId: run.id, ...place } };
  });
}

/** Facts about the thread's stored runs. */
interface Known {
  readonly runs: ReadonlySet<string>;
  /** Runs whose reply is stored: they have ended. */
  readonly replies: ReadonlySet<string>;
}

function knownOf({ messages, openRuns, held = [] }: ThreadDetail): Known {
  const runs = new Set([...openRuns, ...held].map(({ id }) => id));
  const replies = new Set<string>();
  for (const message of toChatMessages(messages)) {
    const runId = message.metadata?.runId ?? "";
    runs.add(runId);
    if (message.role === "assistant") replies.add(runId);
  }
  return { runs, replies };
}

/** The runs that have not ended, the current one first. `live`: it is read from the stream. */
function openRuns(stored: ThreadDetail, { runs }: ThreadState, { replies }: Known) {
  const ended = new Set(runs.flatMap(({ id, endedAs }) => (endedAs === null ? [] : [id])));
  const open = stored.openRuns.filter(({ id }) => !ended.has(id) && !replies.has(id));
  const last = runs.at(-1);
  const live = last && last.endedAs === null && !replies.has(last.id) ? last : null;
  if (live === null) return { open: open.map(asOpen), live };
  const own = open.findIndex(({ id }) => id === live.id);
  const unknown: ShownRun = {
    id: live.id,
    status: "running",
    text: "",
    messageId: undefined,
    model: undefined,
    steers: false,
  };
  const first = own === -1 ? unknown : asOpen(open[own] as OpenRun);
  return { open: [first, ...open.slice(own + 1).map(asOpen)], live };
}

function asOpen({ id, status, text, messageId, steers, model, effort, agentId }: OpenRun): ShownRun {
  return { id, status, text, messageId, model, effort, agentId, steers: steers === true };
}

function asQueued({ id, text, steers, model, effort, agentId }: ShownRun): QueuedMessage & { steers: boolean } {
  return { id, text, steers, model, effort, agentId };
}

interface ShownRun extends Pick<OpenRun, "id" | "text" | "messageId" | "model" | "effort" | "agentId"> {
  readonly status: string;
  readonly steers: boolean;
}

/** A message that has just left the queue is not in the stored transcript yet. */
function withSent(shown: readonly ChatMessage[], current: ShownRun | null): readonly ChatMessage[] {
  if (current?.messageId === undefined || shown.some(({ id }) => id === current.messageId)) return shown;
  const { id: runId, messageId: id, text } = current;
  return [...shown, { id, role: "user", parts: [{ type: "text", text }], metadata: { runId } }];
}

/** No longer true once everything is decided, even if the next segment has not begun. */
function waitsForPerson(reply: ChatMessage | null): boolean {
  return reply?.metadata?.status === "waiting" && reply.parts.some(isPending);
}

function isPending(part: ChatMessage["parts"][number]): boolean {
  return isAskPart(part) && part.data.status === "pending";
}

/** Puts each run's message and reply in place: after what is stored of the run, or at the end. */
function withStreamed(stored: readonly ChatMessage[], { runs, outgoing }: ThreadState, known: Known) {
  let messages = stored;
  for (const { id, reply } of runs) {
    const sent = known.runs.has(id) ? [] : outgoing.filter(({ runId }) => runId === id).map(asMessage);
    const added = reply === null || known.replies.has(id) ? sent : [...sent, reply];
    const at = messages.findLastIndex(({ metadata }) => metadata?.runId === id);
    messages = messages.toSpliced(at === -1 ? messages.length : at + 1, 0, ...added);
  }
  return messages;
}

function isKnown({ runId }: Outgoing, { runs }: ThreadState, known: Known): boolean {
  return runId !== null && (known.runs.has(runId) || runs.some(({ id }) => id === runId));
}

/** A message sent from this page as the transcript shows it until it is stored. */
export function asMessage({ key, content, text, files }: Outgoing): ChatMessage {
  const attached = files.map(({ name, size }) => ({ path: name, sizeBytes: size }));
  return { id: key, role: "user", parts: [{ type: "text", text: content ?? nameAttached(text, attached) }] };
}
