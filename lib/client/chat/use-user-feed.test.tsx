import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, test, vi } from "vitest";
import { approvalsQuery } from "@/lib/client/chat/asks/decisions";
import { folderQuery } from "@/lib/client/files/file-queries";
import { withQueries } from "@/lib/testing/react/with-queries";
import { threadListQuery } from "./thread-queries";
import { type FeedConnection, followFeed, useUserFeed } from "./use-user-feed";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("has all read again that may have changed untold, once a lost connection is back", async () => {
  let connections = 0;
  vi.stubGlobal("fetch", async () => {
    connections += 1;
    return new Response(connections <= 2 ? "event: ready\ndata: {}\n\n" : new ReadableStream());
  });
  const queryClient = new QueryClient();
  const keys: QueryKey[] = [
    threadListQuery({ q: "", archived: false }).queryKey,
    approvalsQuery.queryKey,
    folderQuery("th_1", "").queryKey,
  ];
  for (const key of keys) queryClient.setQueryData(key, null);
  const { unmount } = renderHook(() => useUserFeed("ada"), {
    wrapper: withQueries(queryClient),
  });
  await waitFor(() => expect(connections).toBe(3));
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
  unmount();
});

it("has read again what may have changed between the drawing of the page and the first connection", async () => {
  let answer: (reply: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  const queryClient = new QueryClient();
  const queryKey: QueryKey = threadListQuery({ q: "", archived: false }).queryKey;
  queryClient.setQueryData(queryKey, null);
  const { unmount } = renderHook(() => useUserFeed("ada"), { wrapper: withQueries(queryClient) });
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(false);
  answer(hangs("event: ready\ndata: {}\n\n")());
  await waitFor(() => expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true));
  unmount();
});

it("fetches nothing again while the feed's revision is the one that the tab knows", async () => {
  const revisions = ["a.1", "a.2", "a.2", "a.3"];
  const ready = (revision = "") => `event: ready\ndata: {"revision":"${revision}"}\n\n`;
  const change = 'id: a.2\nevent: run.changed\ndata: {"threadId":"th_9","runId":"r","status":"running"}\n\n';
  const hung: ((reply: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => hung.push(resolve)));
  const queryClient = new QueryClient();
  const { queryKey } = folderQuery("th_1", "");
  const isStale = () => queryClient.getQueryState(queryKey)?.isInvalidated;
  queryClient.setQueryData(queryKey, { entries: [] } as never);
  const { unmount } = renderHook(() => useUserFeed("ada", "a.1"), { wrapper: withQueries(queryClient) });
  const found: (boolean | undefined)[] = [];
  for (const [index, revision] of revisions.entries()) {
    await waitFor(() => expect(hung).toHaveLength(index + 1));
    found.push(isStale());
    hung[index]?.(new Response(ready(revision) + (index === 0 ? change : "")));
  }
  await waitFor(() => expect(isStale()).toBe(true));
  expect(found).toEqual([false, false, false, false]);
  unmount();
});

const EVENT = 'event: thread.changed\ndata: {"threadId":"th_1"}\n\n';
const SILENCE_MS = 40_000;

/** Responds in order, repeating the last response. */
function serve(...replies: (() => Response)[]) {
  let asked = 0;
  vi.stubGlobal("fetch", async () => (replies[Math.min(asked++, replies.length - 1)] ?? down)());
  return () => asked;
}

const says = (text: string) => () => new Response(text);
/** Stays open and sends nothing more. */
const hangs = (text: string) => () =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) }));
const refuses = (status: number) => () => Response.json({ error: { code: "no", message: "No." } }, { status });
function down(): Response {
  throw new TypeError("fetch failed");
}

/** Follows until `connections` have been reported, or the feed ends on its own. */
async function follow(until: (seen: { events: string[]; connections: FeedConnection[] }) => boolean) {
  const stop = new AbortController();
  const seen = { events: [] as string[], connections: [] as FeedConnection[] };
  const check = () => {
    if (until(seen)) stop.abort();
  };
  vi.useFakeTimers();
  const ended = followFeed({
    userId: "ada",
    signal: stop.signal,
    wait: async () => undefined,
    onEvent: ({ event = "message" }) => {
      seen.events.push(event);
      check();
    },
    onConnection: (connection) => {
      seen.connections.push(connection);
      check();
    },
  });
  await vi.advanceTimersByTimeAsync(3 * SILENCE_MS);
  await ended;
  return seen;
}

test("a connection that falls silent without closing is opened again", async () => {
  const asked = serve(hangs(EVENT), says(EVENT));
  const { events } = await follow(({ events: all }) => all.length === 2);
  expect(events).toEqual(["thread.changed", "thread.changed"]);
  expect(asked()).toBe(2);
});

test("does not report a server that comes back at once as lost, but one that stays away until it is back", async () => {
  serve(says(EVENT), down, says(EVENT), down, down, down, says(EVENT));
  const { connections } = await follow(({ events }) => events.length === 3);
  expect(connections).toEqual(["connected", "connected", "lost", "lost", "connected"]);
});

test("a session that has ended ends the feed, and is reported", async () => {
  const asked = serve(refuses(401));
  const { connections } = await follow(() => false);
  expect(connections).toEqual(["signed-out"]);
  expect(asked()).toBe(1);
});

test.each([500, 503, 504])("a server that is too busy, or at fault just now, is asked again: %s", async (status) => {
  const asked = serve(refuses(status), says(EVENT));
  await follow(({ events }) => events.length === 1);
  expect(asked()).toBe(2);
});
