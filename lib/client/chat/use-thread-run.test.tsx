import { useQuery } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ThreadDetail } from "@/lib/schema/thread";
import { FakeThreadServer } from "@/lib/testing/fake-thread-server";
import { withQueries } from "@/lib/testing/with-queries";
import { messageText } from "./chat-message";
import { threadQuery } from "./queries";
import { useThreadRun } from "./use-thread-run";

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

let server: FakeThreadServer;

function open() {
  return render(<Page />, { wrapper: withQueries() });
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
    server = new FakeThreadServer();
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
