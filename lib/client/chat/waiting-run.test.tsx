import { QueryClient, useQuery } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { ThreadDetail } from "@/lib/schema/thread";
import { withQueries } from "@/lib/testing/with-queries";
import { messageText } from "./chat-message";
import { threadQuery } from "./queries";
import { useThreadRun } from "./use-thread-run";

const AT = "2026-11-22T00:00:00.000Z";
const NO_USAGE = { inputTokens: 0, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
const STARTED = [
  { type: "start", messageId: "a" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "May I?" },
  { type: "text-end", id: "t" },
];
const WENT_ON = [
  { type: "text-start", id: "u" },
  { type: "text-delta", id: "u", delta: "Done." },
  { type: "text-end", id: "u" },
  { type: "message-metadata", messageMetadata: { runId: "r", status: "completed" } },
  { type: "finish" },
];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A thread whose only run waits until it is decided; its stream ends there without a last chunk. */
function fakeServer() {
  const state = { isDecided: false, streams: 0 };
  const detail = (): ThreadDetail => ({
    ...{ id: "th", clientId: "th", agentId: "a", agentName: "A", title: null, pinned: false, archived: false },
    ...{
      status: "waiting",
      earlierCursor: null,
      activeRunId: "r",
      createdAt: AT,
      updatedAt: AT,
      todos: [],
      latestTraceId: null,
    },
    ...{ model: null, provider: null },
    messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "Go" }], metadata: { runId: "r" } }],
    openRuns: [
      {
        ...{ id: "r", text: "Go", assistantMessageId: "a", createdAt: AT, usage: NO_USAGE },
        status: state.isDecided ? "running" : "waiting",
      },
    ],
    usage: { ...NO_USAGE, totalTokens: 0, costUsd: 0 },
  });
  const fetch = async (path: string) => {
    if (!path.includes("/stream")) return Response.json(detail());
    state.streams += 1;
    const chunks = state.isDecided ? [...STARTED, ...WENT_ON] : STARTED;
    const rows = chunks.map((chunk, index) => `id: ${index + 1}\ndata: ${JSON.stringify(chunk)}\n\n`);
    return new Response(`${rows.join("")}data: [DONE]\n\n`);
  };
  return { state, fetch };
}

function Page() {
  const { data } = useQuery(threadQuery("th"));
  return data ? <Thread detail={data} /> : null;
}

function Thread({ detail }: { detail: ThreadDetail }) {
  const run = useThreadRun(detail);
  return (
    <>
      <output>{run.messages.map((message) => messageText(message)).join(" | ")}</output>
      <p>{run.isWaiting ? "waits" : "goes on"}</p>
      <p>{run.isRunning ? "runs" : "rests"}</p>
      <p>{run.connection}</p>
      <button type="button" onClick={() => void run.send({ content: "Go" })}>
        Send
      </button>
      <button type="button" onClick={() => void run.followAgain()}>
        Decided
      </button>
    </>
  );
}

function openPage(): QueryClient {
  const client = new QueryClient();
  render(<Page />, { wrapper: withQueries(client) });
  return client;
}

const asked = () => waitFor(() => expect(screen.getByRole("status").textContent).toBe("Go | May I?"));
const answered = () =>
  waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/^Go \| May I\?\s+Done\.$/u));

function decide(state: { isDecided: boolean }): void {
  state.isDecided = true;
  fireEvent.click(screen.getByRole("button", { name: "Decided" }));
}

it("shows a run up to where it waits, and goes on from there after the decision", async () => {
  const { state, fetch } = fakeServer();
  vi.stubGlobal("fetch", fetch);
  openPage();
  await asked();
  await screen.findByText("waits");
  expect([screen.getByText("connected").textContent, state.streams]).toEqual(["connected", 1]);
  decide(state);
  await answered();
});

it("shows it in React's strict mode too", async () => {
  const { fetch } = fakeServer();
  vi.stubGlobal("fetch", fetch);
  render(
    <StrictMode>
      <Page />
    </StrictMode>,
    { wrapper: withQueries() },
  );
  await asked();
});

it("shows a run that waits although the thread was read before it began", async () => {
  const { fetch } = fakeServer();
  const before = { messages: [], openRuns: [], activeRunId: null, status: null };
  let isKnown = false;
  let reads = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.endsWith("/messages")) return Response.json({ runId: "r", messageId: "u", status: "running" });
    if (path.includes("/stream")) return fetch(path);
    reads += 1;
    const now: object = await (await fetch(path)).json();
    return Response.json(isKnown ? now : { ...now, ...before, title: `read ${reads}` });
  });
  const client = openPage();
  fireEvent.click(await screen.findByRole("button", { name: "Send" }));
  await asked();
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(""));
  isKnown = true;
  await client.invalidateQueries();
  await screen.findByText("waits");
  await asked();
});

/** The run waits while something below it goes on: its stream stays open until `go` or, for good, `end`. */
function openStream() {
  const { state, fetch } = fakeServer();
  const rowsOf = (chunks: readonly object[], from: number) =>
    chunks.map((chunk, index) => `id: ${from + index}\ndata: ${JSON.stringify(chunk)}\n\n`).join("");
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const send = (text: string) => controller?.enqueue(new TextEncoder().encode(text));
  const first = async (path: string) => {
    if (!path.includes("/stream") || state.streams > 0) return fetch(path);
    state.streams += 1;
    const body = new ReadableStream<Uint8Array>({
      start(opened) {
        controller = opened;
        send(rowsOf(STARTED, 1));
      },
    });
    return new Response(body);
  };
  return {
    state,
    fetch: first,
    goOn: () => send(rowsOf(WENT_ON, STARTED.length + 1)),
    end: () => send("data: [DONE]\n\n"),
  };
}

it("goes on in the stream that has stayed open while the run waited, and opens no second one", async () => {
  const { state, fetch, goOn } = openStream();
  vi.stubGlobal("fetch", fetch);
  openPage();
  await asked();
  decide(state);
  await waitFor(() => expect(screen.getByText("goes on")).toBeTruthy());
  goOn();
  await answered();
  expect(state.streams).toBe(1);
});

it("reads the stream again when it has ended at the pause just as the person decided", async () => {
  const { state, fetch, end } = openStream();
  vi.stubGlobal("fetch", fetch);
  openPage();
  await asked();
  decide(state);
  end();
  await answered();
  expect(state.streams).toBe(2);
});
