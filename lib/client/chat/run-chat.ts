import { randomId } from "@/lib/client/ui/random-id";
import { readReply } from "@/lib/client/ui/read-reply";
import type { ChatMessage } from "./chat-message";
import type { RunTransport } from "./run-transport";

/** `submitted`: asked, nothing has come yet. */
type RunChatStatus = "ready" | "submitted" | "streaming" | "error";

export interface RunChatState {
  readonly messages: readonly ChatMessage[];
  readonly status: RunChatStatus;
  readonly error: Error | null;
}

export interface RunChatOptions {
  readonly messages: readonly ChatMessage[];
  readonly transport: RunTransport;
  /** While a reply streams, listeners are told at most this often. */
  readonly throttleMs: number;
  /** A reply was read to its end, or to where its stream failed; null when nothing of it came. */
  readonly onFinish: (reply: ChatMessage | null) => void;
}

/** The messages of one thread and the reply that is being read into them. One reply at a time: a new one lets go of the last. */
export class RunChat {
  private state: RunChatState;
  private reading: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly listeners = new Set<() => void>();

  private readonly options: RunChatOptions;

  constructor(options: RunChatOptions) {
    this.options = options;
    this.state = { messages: options.messages, status: "ready", error: null };
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly snapshot = (): RunChatState => this.state;

  /** The same ones again change nothing, and nobody draws again. */
  readonly setMessages = (messages: readonly ChatMessage[]) => {
    const known = this.state.messages;
    if (messages.length === known.length && messages.every((message, index) => message === known[index])) return;
    this.set({ messages });
  };

  readonly clearError = () => {
    if (this.state.status === "error") this.set({ status: "ready", error: null });
  };

  /** Shows the text as a message and reads the reply to it. */
  readonly send = async (text: string) => {
    const message: ChatMessage = { id: randomId(), role: "user", parts: [{ type: "text", text }] };
    this.set({ messages: [...this.state.messages, message] });
    await this.read((signal) => this.options.transport.send(text, signal));
  };

  /** Reads the reply of the run that goes on, if any, from its start: it takes the place of what is shown of it. */
  readonly resume = () => this.read((signal) => this.options.transport.resume(signal));

  /** Lets go of the stream; the run goes on. */
  readonly close = () => {
    this.reading?.abort();
    this.reading = null;
    if (this.state.status === "submitted" || this.state.status === "streaming") this.set({ status: "ready" });
  };

  private async read(open: (signal: AbortSignal) => ReturnType<RunTransport["resume"]>) {
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    this.set({ status: "submitted", error: null });
    let reply: ChatMessage | null = null;
    let end: Partial<RunChatState> = { status: "ready" };
    try {
      const stream = await open(reading.signal);
      if (stream === null) return this.finish(reading, end);
      for await (const message of readReply(stream)) {
        if (reading.signal.aborted) return;
        reply = message;
        this.show(message);
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      end = { status: "error", error };
    }
    if (this.finish(reading, end)) this.options.onFinish(reply);
  }

  /** False when somebody has let go of this reading in the meantime. */
  private finish(reading: AbortController, end: Partial<RunChatState>): boolean {
    if (this.reading !== reading) return false;
    this.reading = null;
    this.set(end);
    return true;
  }

  private show(reply: ChatMessage): void {
    const { messages } = this.state;
    const index = messages.findLastIndex(({ id }) => id === reply.id);
    const shown = index === -1 ? [...messages, reply] : messages.with(index, reply);
    this.state = { ...this.state, messages: shown, status: "streaming" };
    this.timer ??= setTimeout(() => this.tell(), this.options.throttleMs);
  }

  private set(change: Partial<RunChatState>): void {
    this.state = { ...this.state, ...change };
    this.tell();
  }

  private tell(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    for (const listener of this.listeners) listener();
  }
}
