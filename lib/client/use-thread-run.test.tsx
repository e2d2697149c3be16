import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { UIMessageChunk } from "ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ThreadDetail } from "@/lib/schema/thread";
import { messageText } from "./chat-message";
import { threadQuery } from "./queries";
import { useThreadRun } from "./use-thread-run";

const NO_USAGE = { inputTokens: 0, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
const AT = "2026-11-22T00:00:00.000Z";

/** A server with one thread, whose runs answer "reply to <text>" when they are let go. */
class FakeServer {
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

function Page() {
  const { data } = useQuery(threadQuery("th"));
  return data ? <Thread detail={data} /> : null;
}

function Thread({ detail }: { detail: ThreadDetail }) {
  const run = useThreadRun(detail);
  const send = () => run.send({ content: "second" }).catch((error: Error) => document.body.append(error.message));
  return (
    <>
      <output>{run.messages.map((message) => `${message.role}: ${messageText(message)}`).join(" | ")}</output>
      <p>{run.isRunning ? "running" : "idle"}</p>
      <p>error: {run.error?.message}</p>
      <button type="button" onClick={run.reconnect}>
        Try again
      </button>
      <p>queued: {run.queued.map(({ text }) => text).join(", ")}</p>
      <button type="button" onClick={() => void send()}>
        Send
      </button>
      <button type="button" onClick={() => void run.stop()}>
        Stop
      </button>
    </>
  );
}

let server: FakeServer;

function open() {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
}

const transcript = () => screen.getByRole("status").textContent;

/** Sends, and stops before the server has answered; then it does. */
async function stopOnItsWay(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.taken = promise;
  open();
  await screen.findByText("idle");
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText("running");
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  resolve();
}

describe("useThreadRun", () => {
  beforeEach(() => {
    server = new FakeServer();
    vi.stubGlobal("fetch", server.fetch);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it("attaches to a run that goes on already and ends with what is stored", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    await waitFor(() => expect(server.requests).toContain("GET /api/runs/r1/stream"));
    act(() => server.finish("r1"));
    await screen.findByText("idle");
    expect(transcript()).toBe("user: first | assistant: reply to first");
  });

  it("shows a sent message at once and follows its run", async () => {
    open();
    await screen.findByText("idle");
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(transcript()).toContain("user: second"));
    await waitFor(() => expect(server.requests).toContain("GET /api/runs/r1/stream"));
    act(() => server.finish("r1"));
    await waitFor(() => expect(transcript()).toBe("user: second | assistant: reply to second"));
  });

  it("stops the run of a message that was on its way when somebody asked", async () => {
    await stopOnItsWay();
    await waitFor(() => expect(server.requests).toContain("POST /api/runs/r1/cancel"));
  });

  it("has nothing to stop when the message on its way is not taken", async () => {
    server.refuses = true;
    await stopOnItsWay();
    await screen.findByText("idle");
    expect(server.requests.filter((request) => request.includes("cancel"))).toEqual([]);
  });

  it("queues while a run goes on, then follows the queued run without being asked", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await screen.findByText("queued: second");
    expect(transcript()).not.toContain("second");
    act(() => server.finish("r1"));
    await waitFor(() => expect(server.requests).toContain("GET /api/runs/r2/stream"));
    act(() => server.finish("r2"));
    await screen.findByText("idle");
    expect(transcript()).toBe("user: first | assistant: reply to first | user: second | assistant: reply to second");
  });

  it("takes back a message that the server did not take, and says why", async () => {
    server.refuses = true;
    open();
    await screen.findByText("idle");
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(document.body.textContent).toContain("Full."));
    await waitFor(() => expect(transcript()).toBe(""));
    // There is no run that could not be followed.
    await act(async () => undefined);
    expect(screen.getByText(/^error:/u).textContent).toBe("error: ");
  });

  it("follows a run when asked to try again, although nothing else of the thread has changed", async () => {
    server.refusesStreams = true;
    server.start("first");
    open();
    await screen.findByText("error: No.");
    server.refusesStreams = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("error:");
    await waitFor(() => expect(server.requests.filter((request) => request.includes("/stream"))).toHaveLength(2));
    act(() => server.finish("r1"));
    await screen.findByText("idle");
    expect(transcript()).toBe("user: first | assistant: reply to first");
  });

  it("shows what is stored when asked to try again after the run has ended", async () => {
    server.refusesStreams = true;
    server.start("first");
    open();
    await screen.findByText("error: No.");
    act(() => server.finish("r1"));
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(transcript()).toBe("user: first | assistant: reply to first"));
  });

  it("opens one stream per run, however often the thread is read again", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await screen.findByText("queued: second");
    expect(server.requests.filter((request) => request.includes("/stream"))).toEqual(["GET /api/runs/r1/stream"]);
  });
});
