import { useQuery } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { withQueries } from "@/lib/testing/react/with-queries";
import { FakeThreadServer } from "@/lib/testing/servers/fake-thread-server";
import { messageText } from "./chat-message";
import { threadQuery } from "./thread-queries";
import { useThreadChat } from "./use-thread-chat";

function Page() {
  const { data } = useQuery(threadQuery("th"));
  return data ? <Thread detail={data} /> : null;
}

function Thread({ detail }: { detail: ThreadDetail }) {
  const chat = useThreadChat(detail);
  const [failed] = chat.unsent;
  return (
    <>
      <output>{chat.messages.map((message) => `${message.role}: ${messageText(message)}`).join(" | ")}</output>
      <p>{chat.isRunning ? "running" : "idle"}</p>
      <p>{chat.isWaiting ? "waits" : "goes on"}</p>
      <p>{chat.isStopping ? "stopping" : "not stopping"}</p>
      <p>{chat.connection}</p>
      <p>error: {chat.error?.message}</p>
      <p>queued: {chat.queued.map(({ text, isSending }) => `${text}${isSending ? " (on its way)" : ""}`).join(", ")}</p>
      <p>unsent: {chat.unsent.map(({ text, problem }) => `${text} (${problem})`).join(", ")}</p>
      <button type="button" onClick={chat.reconnect}>
        Try again
      </button>
      <button type="button" onClick={() => chat.send({ text: "second", files: [], model: null })}>
        Send
      </button>
      <button type="button" onClick={() => failed && chat.retry(failed.key)}>
        Retry
      </button>
      <button type="button" onClick={() => failed && chat.discard(failed.key)}>
        Discard
      </button>
      <button type="button" onClick={chat.stop}>
        Stop
      </button>
    </>
  );
}

let server: FakeThreadServer;

const open = () => render(<Page />, { wrapper: withQueries() });
const transcript = () => screen.getByRole("status").textContent;
const shows = (text: string) => waitFor(() => expect(transcript()).toBe(text));
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const streams = () => server.requests.filter((request) => request.includes("/stream"));

function setHidden(hidden: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

beforeEach(() => {
  server = new FakeThreadServer();
  vi.stubGlobal("fetch", server.fetch);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

describe("a thread's page", () => {
  it("attaches to a run in progress and ends with what is stored", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    await waitFor(() => expect(server.openStreams).toBe(1));
    act(() => server.finish("r1"));
    await screen.findByText("idle");
    await shows("user: first | assistant: reply to first");
  });

  it("follows runs that begin elsewhere, one after the other, in the one stream it has", async () => {
    open();
    await screen.findByText("idle");
    await waitFor(() => expect(server.openStreams).toBe(1));
    for (const [text, runId] of [
      ["first", "r1"],
      ["second", "r2"],
    ] as const) {
      act(() => void server.start(text));
      await screen.findByText("running");
      act(() => server.finish(runId));
      await screen.findByText("idle");
    }
    await shows("user: first | assistant: reply to first | user: second | assistant: reply to second");
    expect(streams()).toHaveLength(1);
  });

  it("begins behind what is stored already", async () => {
    server.start("first");
    server.finish("r1");
    open();
    await screen.findByText("idle");
    await waitFor(() => expect(streams()).toEqual(["GET /api/threads/th/stream behind r1"]));
  });

  it("keeps the order where what is stored is older than what has come", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    press("Send");
    await screen.findByText("queued: second");
    server.tellsNews = false;
    act(() => server.finish("r1"));
    act(() => server.finish("r2"));
    const whole = "user: first | assistant: reply to first | user: second | assistant: reply to second";
    await shows(whole);
    await screen.findByText("idle");
    server.tellsNews = true;
    press("Try again");
    await waitFor(() => expect(screen.getByText("queued:")).toBeTruthy());
    expect(transcript()).toBe(whole);
  });

  it("shows a run up to where it waits, and continues from there after the decision", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    act(() => server.pause("r1"));
    await screen.findByText("waits");
    act(() => server.decide("r1"));
    await screen.findByText("running");
    act(() => server.finish("r1"));
    await shows("user: first | assistant: reply to first");
    expect(streams()).toHaveLength(1);
  });

  it("works in React's strict mode too, with one stream", async () => {
    server.start("first");
    render(
      <StrictMode>
        <Page />
      </StrictMode>,
      { wrapper: withQueries() },
    );
    await screen.findByText("running");
    await waitFor(() => expect(server.openStreams).toBe(1));
    act(() => server.finish("r1"));
    await shows("user: first | assistant: reply to first");
  });

  it("reads the transcript again when the server can't tell what follows", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    server.runs.splice(0);
    act(() => server.tellFrame("reset", {}));
    await shows("");
    await screen.findByText("idle");
  });
});

describe("the connection of a thread's page", () => {
  it("is opened again behind the last event, which loses nothing and shows nothing twice", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    await waitFor(() => expect(server.openStreams).toBe(1));
    act(() => server.cut());
    await screen.findByText("reconnecting");
    act(() => server.finish("r1"));
    await screen.findByText("connected");
    await shows("user: first | assistant: reply to first");
    expect(streams().at(-1)).toBe("GET /api/threads/th/stream behind r1:1");
  });

  it("closes while the page is hidden, and resumes without a gap when it is shown again", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    await waitFor(() => expect(server.openStreams).toBe(1));
    setHidden(true);
    await waitFor(() => expect(server.openStreams).toBe(0));
    server.finish("r1");
    setHidden(false);
    await shows("user: first | assistant: reply to first");
    expect(server.openStreams).toBe(1);
  });

  it("is closed with the page", async () => {
    const { unmount } = open();
    await waitFor(() => expect(server.openStreams).toBe(1));
    unmount();
    await waitFor(() => expect(server.openStreams).toBe(0));
  });

  it("says why it is refused, and is opened again when asked", async () => {
    server.refusesStreams = true;
    server.start("first");
    open();
    await screen.findByText("error: No.");
    server.refusesStreams = false;
    press("Try again");
    await screen.findByText("error:");
    act(() => server.finish("r1"));
    await shows("user: first | assistant: reply to first");
  });
});

describe("sending", () => {
  it("shows a message at once, before the server has it, and then its run", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.taken = promise;
    open();
    await screen.findByText("idle");
    press("Send");
    expect(transcript()).toBe("user: second");
    expect(screen.getByText("running")).toBeTruthy();
    resolve();
    await waitFor(() => expect(server.runs).toHaveLength(1));
    act(() => server.finish("r1"));
    await shows("user: second | assistant: reply to second");
    await screen.findByText("idle");
    expect(screen.getByText("unsent:")).toBeTruthy();
  });

  it("queues while a run is running, shown at once, and follows the queued run without being asked", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.start("first");
    open();
    await screen.findByText("running");
    server.taken = promise;
    press("Send");
    // It cannot be edited until the server has it, so an edit never overtakes its message.
    expect(screen.getByText("queued: second (on its way)")).toBeTruthy();
    resolve();
    await waitFor(() => expect(server.runs).toHaveLength(2));
    await screen.findByText("queued: second");
    await shows("user: first | assistant: ");
    act(() => server.finish("r1"));
    act(() => server.finish("r2"));
    await screen.findByText("idle");
    await shows("user: first | assistant: reply to first | user: second | assistant: reply to second");
    expect(screen.getByText("queued:")).toBeTruthy();
  });

  it("keeps a message that the server does not accept, says why, and sends it again as the same message", async () => {
    server.refuses = true;
    open();
    await screen.findByText("idle");
    press("Send");
    await screen.findByText("unsent: second (Full.)");
    expect([transcript(), screen.queryByText("running")]).toEqual(["", null]);
    server.refuses = false;
    press("Retry");
    await waitFor(() => expect(server.runs).toHaveLength(1));
    act(() => server.finish("r1"));
    await shows("user: second | assistant: reply to second");
    expect(screen.getByText("unsent:")).toBeTruthy();
    const [first, again] = server.sent;
    expect(again).toEqual(first);
    expect(first?.key).toMatch(/\w{8}/u);
  });

  it("keeps it and its reason over a reload too, until it is discarded", async () => {
    server.refuses = true;
    open();
    await screen.findByText("idle");
    press("Send");
    await screen.findByText("unsent: second (Full.)");
    const [first] = server.sent;
    cleanup();
    open();
    await screen.findByText("unsent: second (Full.)");
    press("Retry");
    await waitFor(() => expect(server.sent.length).toBe(2));
    await screen.findByText("unsent: second (Full.)");
    expect(server.sent.at(-1)).toEqual(first);
    press("Discard");
    expect(screen.getByText("unsent:")).toBeTruthy();
    cleanup();
    open();
    await screen.findByText("idle");
    expect(screen.getByText("unsent:")).toBeTruthy();
  });

  it("is on no page of the server, which knows nothing of what a tab has kept", async () => {
    const outgoing = { key: "k", text: "second", model: null, content: "second" };
    sessionStorage.setItem("ringmaster-unsent:th", JSON.stringify([outgoing]));
    const page = document.createElement("div");
    const thread = withQueries()({ children: <Thread detail={server.detail()} /> });
    page.innerHTML = renderToString(thread);
    document.body.append(page);
    expect(page.textContent).not.toContain("second");
    const root = await act(async () => hydrateRoot(page, thread));
    expect(page.textContent).toContain("unsent: second (You left the page before the server answered.)");
    await act(async () => root.unmount());
    page.remove();
  });

  it("sends two messages in order, even when the first is slow", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.taken = promise;
    open();
    await screen.findByText("idle");
    press("Send");
    press("Send");
    await waitFor(() => expect(server.sent).toHaveLength(1));
    await act(async () => undefined);
    expect(server.sent).toHaveLength(1);
    resolve();
    await waitFor(() => expect(server.sent).toHaveLength(2));
    expect(server.sent[0]?.key).not.toBe(server.sent[1]?.key);
  });
});

describe("stopping", () => {
  const cancels = () => server.requests.filter((request) => request.includes("cancel"));

  it("asks once, and is stopping until the run has ended", async () => {
    server.start("first");
    open();
    await screen.findByText("running");
    press("Stop");
    await screen.findByText("stopping");
    press("Stop");
    await waitFor(() => expect(cancels()).toEqual(["POST /api/runs/r1/cancel"]));
    await act(async () => undefined);
    expect(screen.getByText("stopping")).toBeTruthy();
    act(() => server.finish("r1"));
    await screen.findByText("not stopping");
  });

  /** Sends, and stops before the server has responded; then the response arrives. */
  async function stopOnItsWay(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.taken = promise;
    open();
    await screen.findByText("idle");
    press("Send");
    press("Stop");
    resolve();
  }

  it("stops the run of a message that was still being sent", async () => {
    await stopOnItsWay();
    await waitFor(() => expect(cancels()).toEqual(["POST /api/runs/r1/cancel"]));
  });

  it("has nothing to stop when the message on its way is not taken", async () => {
    server.refuses = true;
    await stopOnItsWay();
    await screen.findByText("idle");
    await screen.findByText("not stopping");
    expect(cancels()).toEqual([]);
  });
});
