import { forgetSent } from "@/lib/client/files/use-attachments";
import { errorMessage } from "@/lib/client/http/api";
import { randomId } from "@/lib/client/ui/random-id";
import type { Effort } from "@/lib/schema/agents/choices";
import { nameAttached } from "@/lib/schema/messages/attached-files";
import { foldUiChunk, type MessageDraft, newMessageDraft } from "@/lib/schema/messages/fold-ui-chunks";
import { readUnsent, storeUnsent } from "./composer/unsent";
import { chosenOf } from "./composer/use-picked";
import { followThread, replyOf, type ThreadEvent, type ThreadUpdate } from "./run-stream";
import { isGone } from "./thread-queries";
import { INITIAL_STATE, type Outgoing, reduceThread, type ThreadAction, type ThreadState } from "./thread-state";
import { sendMessage } from "./threads/thread-actions";

/** A message as it leaves the composer. */
export interface NewMessage {
  readonly text: string;
  readonly files: readonly File[];
  /** Null: the agent's own. */
  readonly model: string | null;
  /** Null, or absent: the default. */
  readonly effort?: Effort | null;
  /** Another agent, for this one answer. */
  readonly agentId?: string | undefined;
  /** The active run reads it at its next model call. */
  readonly steers?: boolean;
}

export interface RunChatOptions {
  readonly threadId: string;
  /** The last run whose reply the page was loaded with; the stream begins after it. */
  readonly lastRunId: string | null;
  /** While a reply streams, listeners are notified at most this often. */
  readonly throttleMs: number;
  /** Stored data that the page shows has changed and should be refetched. */
  readonly onStale: (what: "thread" | "threads" | "files") => unknown;
  /** Follows the thread's stream; replaced in tests. */
  readonly follow?: typeof followThread;
}

/**
 * The live state of one thread while its page is open: the runs that arrive through its stream and the messages sent
 * from the page. The stream is open while there is a subscriber and the page is visible: browsers allow six connections
 * per host, so a hidden page closes its own and resumes after the last event when it is shown again.
 */
export class RunChat {
  private readonly options: RunChatOptions;
  private state: ThreadState;
  private readonly listeners = new Set<() => void>();
  private reading: AbortController | null = null;
  /** Id of the last event; a connection resumes after it. */
  private cursor: string | null;
  /** The reply of the run being read: chunks are folded into it, and it is copied only for display. */
  private draft: MessageDraft = newMessageDraft();
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** Messages go to the server one at a time, in the order in which they were sent. */
  private line: Promise<unknown> = Promise.resolve();

  constructor(options: RunChatOptions) {
    this.options = options;
    this.cursor = options.lastRunId;
    this.state = { ...INITIAL_STATE, outgoing: readUnsent(options.threadId) };
  }

  readonly snapshot = (): ThreadState => this.state;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.listen();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stopListening();
    };
  };

  /** Shows the message at once and sends it. */
  readonly send = (message: NewMessage): void => {
    const outgoing: Outgoing = {
      ...message,
      key: randomId(),
      content: message.files.length === 0 ? message.text : null,
      status: "sending",
      problem: null,
      runId: null,
    };
    this.dispatch({ type: "sending", message: outgoing });
    this.deliver(outgoing.key);
  };

  /**
   * Resends a failed message under the same idempotency key: the server accepts it once, even if the first attempt
   * arrived.
   */
  readonly retry = (key: string): void => {
    this.dispatch({ type: "outgoing", key, change: { status: "sending", problem: null } });
    this.deliver(key);
  };

  readonly discard = (key: string): void => {
    this.dispatch({ type: "discarded", key });
    this.storeOutgoing();
  };

  /** The run of the newest message sent from this page, once every pending send has been accepted or refused. */
  readonly newestRun = async (): Promise<string | null> => {
    await this.line;
    return this.state.outgoing.findLast(({ status }) => status === "sent")?.runId ?? null;
  };

  /** Reopens the stream immediately, even after a refusal. */
  readonly reconnect = (): void => {
    this.close();
    if (document.hidden || this.listeners.size === 0 || isGone(this.options.threadId)) return;
    const reading = new AbortController();
    this.reading = reading;
    void this.read(reading.signal);
  };

  private listen(): void {
    document.addEventListener("visibilitychange", this.reconnect);
    // Without this the next attempt could be seconds away.
    window.addEventListener("online", this.reconnect);
    this.reconnect();
  }

  private stopListening(): void {
    document.removeEventListener("visibilitychange", this.reconnect);
    window.removeEventListener("online", this.reconnect);
    this.close();
  }

  private close(): void {
    this.reading?.abort();
    this.reading = null;
  }

  private async read(signal: AbortSignal): Promise<void> {
    const { threadId, follow = followThread } = this.options;
    try {
      for await (const update of follow(threadId, { signal, cursor: this.cursor })) {
        if (signal.aborted) return;
        this.take(update);
        // The generator would reconnect.
        if (update.kind === "lost" && isGone(threadId)) return;
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!signal.aborted) this.dispatch({ type: "refused", error });
    }
  }

  private take(update: ThreadUpdate): void {
    if (update.kind !== "events") {
      const connection = update.kind === "connected" ? "connected" : "reconnecting";
      if (this.state.connection !== connection || this.state.error) this.dispatch({ type: "connection", connection });
      return;
    }
    this.cursor = update.cursor ?? this.cursor;
    for (const event of update.events) this.takeEvent(event);
  }

  private takeEvent(event: ThreadEvent): void {
    switch (event.kind) {
      case "run-start":
        this.draft = newMessageDraft();
        this.dispatch({ type: "run-started", runId: event.data.runId });
        break;
      case "chunk":
        foldUiChunk(this.draft, event.chunk);
        this.timer ??= setTimeout(() => this.showReply(), this.options.throttleMs);
        break;
      case "run-end":
        this.showReply();
        this.dispatch({ type: "run-ended", status: event.data.status });
        void this.options.onStale("thread");
        break;
      case "reset":
        this.forgetReply();
        this.dispatch({ type: "reset" });
        void this.options.onStale("thread");
        break;
      case "thread-compacted":
      case "queue-changed":
        void this.options.onStale("thread");
    }
  }

  private showReply(): void {
    this.stopTimer();
    if (this.draft.id !== "") this.dispatch({ type: "reply", reply: replyOf(this.draft) });
  }

  private forgetReply(): void {
    this.stopTimer();
    this.draft = newMessageDraft();
  }

  private stopTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private deliver(key: string): void {
    this.storeOutgoing();
    this.line = this.line.then(() => this.deliverNow(key));
  }

  private async deliverNow(key: string): Promise<void> {
    const message = this.state.outgoing.find((one) => one.key === key);
    if (message === undefined) return;
    const { threadId, onStale } = this.options;
    const { model, effort = null, agentId } = message;
    const change = (now: Partial<Outgoing>) => this.dispatch({ type: "outgoing", key, change: now });
    try {
      const content = message.content ?? (await this.upload(message));
      change({ content });
      this.storeOutgoing();
      const mode = message.steers ? { mode: "steer" as const } : {};
      const answerer = agentId === undefined ? {} : { agentId };
      const { runId } = await sendMessage({
        threadId,
        content,
        key,
        ...chosenOf({ model, effort }),
        ...answerer,
        ...mode,
      });
      // A steer has no run of its own: only the stored data shows it.
      if (message.steers) await onStale("thread");
      if (message.steers) this.dispatch({ type: "discarded", key });
      else change({ status: "sent", runId });
      void Promise.resolve(onStale("threads")).then(() => change({ isSettled: true }));
    } catch (error) {
      change({ status: "failed", problem: errorMessage(error) });
    }
    this.storeOutgoing();
  }

  private async upload({ text, files }: Outgoing): Promise<string> {
    const { threadId, onStale } = this.options;
    const { uploadAttached } = await import("@/lib/client/files/upload-attached");
    const content = nameAttached(text, await uploadAttached(threadId, files));
    void forgetSent(files);
    void onStale("files");
    return content;
  }

  /** Messages that the server may not have are kept for a reload. */
  private storeOutgoing(): void {
    storeUnsent(
      this.options.threadId,
      this.state.outgoing.filter(({ status }) => status !== "sent"),
    );
  }

  private dispatch(action: ThreadAction): void {
    this.state = reduceThread(this.state, action);
    for (const listener of this.listeners) listener();
  }
}
