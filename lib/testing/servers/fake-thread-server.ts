import type { UiChunk } from "@/lib/schema/messages/ui-chunk";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { type ThreadFrameName, type ThreadFrames, threadFrame } from "@/lib/schema/threads/thread-stream";

const AT = "2026-11-22T00:00:00.000Z";

type Status = "queued" | "running" | "waiting" | "completed";
interface FakeRun {
  readonly id: string;
  readonly text: string;
  status: Status;
}

const DECISION = { type: "data-approval", id: "c", data: { toolCallId: "c", tool: "write_file", args: {} } } as const;

/** A server with one thread `th`, whose runs answer "reply to <text>" when they are finished, in order. */
export class FakeThreadServer {
  readonly runs: FakeRun[] = [];
  /** Every request; streams include their start cursor. */
  readonly requests: string[] = [];
  /** The keys and contents of the posted messages. */
  readonly sent: { readonly key: string | null; readonly content: string }[] = [];
  refuses = false;
  refusesStreams = false;
  /** False: reads of the thread return its earlier state. */
  tellsNews = true;
  /** A message is accepted once this resolves. */
  taken: Promise<void> = Promise.resolve();
  private readonly log: { readonly id: string | null; readonly text: string }[] = [];
  private readonly streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  private known: ThreadDetail | null = null;

  get openStreams(): number {
    return this.streams.size;
  }

  detail(): ThreadDetail {
    if (!this.tellsNews && this.known) return this.known;
    const messages = this.runs.flatMap(({ id, text, status }) => [
      { id: `u-${id}`, role: "user" as const, parts: [{ type: "text", text }], metadata: { runId: id } },
      ...(status === "completed" ? [replyTo(id, text)] : []),
    ]);
    const openRuns = this.runs
      .filter(({ status }) => status !== "completed")
      .map(({ id, text, status }) => ({
        id,
        text,
        status,
        assistantMessageId: `a-${id}`,
        createdAt: AT,
        usage: NO_USAGE,
      }));
    this.known = {
      id: "th",
      clientId: "th",
      activeAgentId: "a",
      agentId: "a",
      agentName: "A",
      title: null,
      pinned: false,
      archived: false,
      status: null,
      earlierCursor: null,
      activeRunId: openRuns[0]?.id ?? null,
      createdAt: AT,
      updatedAt: AT,
      messages,
      openRuns,
      todos: [],
      latestTraceId: null,
      model: null,
      provider: null,
      usage: { ...NO_USAGE, totalTokens: 0, costUsd: 0 },
    };
    return this.known;
  }

  start(text: string): FakeRun {
    const isFree = this.runs.every(({ status }) => status === "completed");
    const run: FakeRun = { id: `r${this.runs.length + 1}`, text, status: "queued" };
    this.runs.push(run);
    if (isFree) this.begin(run);
    return run;
  }

  /** The run asks a person. */
  pause(runId: string): void {
    const run = this.change(runId, "waiting");
    this.tellChunk(run, 2, { ...DECISION, data: { ...DECISION.data, status: "pending" } });
    this.tellChunk(run, 3, { type: "message-metadata", messageMetadata: { runId, status: "waiting" } });
  }

  /** A person decides. */
  decide(runId: string): void {
    const run = this.change(runId, "running");
    this.tellChunk(run, 4, { ...DECISION, data: { ...DECISION.data, status: "approved" } });
  }

  finish(runId: string): void {
    const run = this.change(runId, "completed");
    this.tellChunk(run, 5, { type: "text-start", id: "t" });
    this.tellChunk(run, 6, { type: "text-delta", id: "t", delta: `reply to ${run.text}` });
    this.tellChunk(run, 7, { type: "message-metadata", messageMetadata: { runId, status: "completed" } });
    this.tellFrame("run-end", { status: "completed" }, `${runId}:8`);
    const next = this.runs.find(({ status }) => status === "queued");
    if (next) this.begin(next);
  }

  /** The server is briefly unreachable. */
  cut(): void {
    for (const controller of this.streams) controller.close();
    this.streams.clear();
  }

  tellFrame<Name extends ThreadFrameName>(name: Name, data: ThreadFrames[Name], id: string | null = null): void {
    this.tell(id, `data: ${JSON.stringify(threadFrame(name, data))}\n\n`);
  }

  fetch = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cursor = new Headers(init.headers).get("last-event-id");
    this.requests.push(`${init.method ?? "GET"} ${path}${cursor === null ? "" : ` behind ${cursor}`}`);
    if (path.endsWith("/stream")) return this.openStream(cursor, init.signal ?? null);
    if (init.method !== "POST") return Response.json(this.detail());
    if (path.endsWith("/cancel")) return Response.json({});
    return this.takeMessage(new Headers(init.headers).get("idempotency-key"), String(init.body));
  };

  private async takeMessage(key: string | null, body: string): Promise<Response> {
    const { content } = JSON.parse(body) as { content: string };
    this.sent.push({ key, content });
    await this.taken;
    if (this.refuses) return Response.json({ error: { code: "unavailable", message: "Full." } }, { status: 503 });
    const { id } = this.start(content);
    return Response.json({ runId: id, messageId: `u-${id}`, status: "running" }, { status: 202 });
  }

  private change(runId: string, status: Status): FakeRun {
    const run = this.runs.find(({ id }) => id === runId);
    if (!run) throw new Error(`There is no run ${runId}.`);
    run.status = status;
    return run;
  }

  private begin(run: FakeRun): void {
    run.status = "running";
    this.tellFrame("run-start", { runId: run.id }, `${run.id}:0`);
    const messageMetadata = { runId: run.id, traceId: "t", status: "running" };
    this.tellChunk(run, 1, { type: "start", messageId: `a-${run.id}`, messageMetadata });
  }

  private tellChunk({ id }: FakeRun, seq: number, chunk: UiChunk): void {
    this.tell(`${id}:${seq}`, `data: ${JSON.stringify(chunk)}\n\n`);
  }

  private tell(id: string | null, text: string): void {
    const sent = { id, text: `${id === null ? "" : `id: ${id}\n`}${text}` };
    this.log.push(sent);
    for (const controller of this.streams) controller.enqueue(new TextEncoder().encode(sent.text));
  }

  /** Streams from after the cursor; without one, the current or last run. */
  private openStream(cursor: string | null, signal: AbortSignal | null): Response {
    if (this.refusesStreams) return Response.json({ error: { code: "forbidden", message: "No." } }, { status: 403 });
    const isKnown = ({ id }: { id: string | null }) => id !== null && (id === cursor || id.startsWith(`${cursor}:`));
    const from =
      cursor === null
        ? this.log.findLastIndex(({ id }) => id?.endsWith(":0"))
        : this.log.findLastIndex((sent) => isKnown(sent)) + 1;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const { text } of this.log.slice(Math.max(0, from))) controller.enqueue(new TextEncoder().encode(text));
        this.streams.add(controller);
        signal?.addEventListener("abort", () => {
          if (this.streams.delete(controller)) controller.error(signal.reason);
        });
      },
      cancel: () => undefined,
    });
    return new Response(body);
  }
}

function replyTo(runId: string, text: string) {
  const parts = [{ type: "text", text: `reply to ${text}` }];
  return { id: `a-${runId}`, role: "assistant" as const, parts, metadata: { runId, status: "completed" } };
}
