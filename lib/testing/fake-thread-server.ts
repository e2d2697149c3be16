import type { UIMessageChunk } from "ai";
import type { ThreadDetail } from "@/lib/schema/thread";
import { NO_USAGE } from "@/lib/schema/usage";

const AT = "2026-11-22T00:00:00.000Z";

/** A server with one thread, whose runs answer "reply to <text>" when they are let go. */
export class FakeThreadServer {
  readonly runs: { id: string; text: string; status: "queued" | "running" | "completed" }[] = [];
  private readonly streams = new Map<string, ReadableStreamDefaultController<Uint8Array>[]>();
  readonly requests: string[] = [];
  refuses = false;
  refusesStreams = false;
  /** A message is taken once this has come. */
  taken: Promise<void> = Promise.resolve();

  detail(): ThreadDetail {
    const messages = this.runs.flatMap(({ id, text, status }) => [
      { id: `u-${id}`, role: "user" as const, parts: [{ type: "text", text }], metadata: { runId: id } },
      ...(status === "completed"
        ? [{ id: `a-${id}`, role: "assistant" as const, parts: [{ type: "text", text: `reply to ${text}` }] }]
        : []),
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
    return {
      ...{ id: "th", clientId: "th", agentId: "a", agentName: "A", title: null, pinned: false, archived: false },
      ...{ status: null, earlierCursor: null, activeRunId: openRuns[0]?.id ?? null, createdAt: AT, updatedAt: AT },
      ...{
        messages,
        openRuns,
        todos: [],
        latestTraceId: null,
        model: null,
        provider: null,
        usage: { ...NO_USAGE, totalTokens: 0, costUsd: 0 },
      },
    };
  }

  start(text: string) {
    const run = { id: `r${this.runs.length + 1}`, text, status: "running" as const };
    this.runs.push(run);
    return run;
  }

  fetch = async (path: string, init: RequestInit = {}): Promise<Response> => {
    this.requests.push(`${init.method ?? "GET"} ${path}`);
    const runId = /runs\/(\w+)\/stream/u.exec(path)?.[1];
    if (runId !== undefined) return this.openStream(runId);
    if (init.method !== "POST") return Response.json(this.detail());
    if (path.endsWith("/cancel")) return Response.json({});
    await this.taken;
    if (this.refuses) return Response.json({ error: { code: "unavailable", message: "Full." } }, { status: 503 });
    const { content } = JSON.parse(String(init.body)) as { content: string };
    const run = this.start(content);
    return Response.json({ runId: run.id, messageId: `u-${run.id}`, status: "running" }, { status: 202 });
  };

  private openStream(runId: string): Response {
    if (this.refusesStreams) return Response.json({ error: { code: "forbidden", message: "No." } }, { status: 403 });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.streams.set(runId, [...(this.streams.get(runId) ?? []), controller]);
        this.send(controller, 1, { type: "start", messageId: `a-${runId}` });
      },
    });
    return new Response(body);
  }

  private send(controller: ReadableStreamDefaultController<Uint8Array>, id: number, chunk: UIMessageChunk) {
    controller.enqueue(new TextEncoder().encode(`id: ${id}\ndata: ${JSON.stringify(chunk)}\n\n`));
  }

  finish(runId: string) {
    const run = this.runs.find(({ id }) => id === runId);
    if (!run) return;
    run.status = "completed";
    for (const controller of this.streams.get(runId) ?? []) {
      this.send(controller, 2, { type: "text-start", id: "t" });
      this.send(controller, 3, { type: "text-delta", id: "t", delta: `reply to ${run.text}` });
      this.send(controller, 4, { type: "text-end", id: "t" });
      this.send(controller, 5, { type: "finish" });
      controller.close();
    }
  }
}
