import { QueryClient } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { threadQuery } from "./thread-queries";
import { useEarlierMessages } from "./use-earlier-messages";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const message = (id: string) => ({ id, role: "user", parts: [{ type: "text", text: id }] });
const PAGES: Record<string, unknown> = {
  "30": { messages: [message("m20"), message("m29")], nextCursor: "20" },
  "20": { messages: [message("m1"), message("m19")], nextCursor: null },
};

/** A server with the pages before position 30, which refuses while `isDown`. */
function fakeServer() {
  const server = { isDown: false, asked: [] as string[] };
  vi.stubGlobal("fetch", async (path: string) => {
    server.asked.push(path);
    if (server.isDown) return new Response("{}", { status: 500 });
    return Response.json(PAGES[new URL(path, "http://a").searchParams.get("cursor") ?? ""]);
  });
  return server;
}

function mount(earlierCursor: string | null) {
  const wrapper = withQueries(new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  return renderHook(() => useEarlierMessages({ id: "th", earlierCursor, messages: [] }), { wrapper }).result;
}

test("earlier messages come a page at a time, oldest first, until the thread begins", async () => {
  const server = fakeServer();
  const earlier = mount("30");
  expect([earlier.current.state, server.asked]).toEqual(["more", []]);
  act(() => earlier.current.load());
  await waitFor(() => expect(earlier.current.count).toBe(2));
  expect(earlier.current.state).toBe("more");
  act(() => earlier.current.fetchAhead());
  await waitFor(() => expect(earlier.current.state).toBe("all"));
  expect(earlier.current.messages.map(({ id }) => id)).toEqual(["m1", "m19", "m20", "m29"]);
  act(() => earlier.current.load());
  expect(server.asked).toHaveLength(2);
});

test("a page that fails is asked for again by a person only", async () => {
  const server = fakeServer();
  server.isDown = true;
  const earlier = mount("30");
  act(() => earlier.current.fetchAhead());
  await waitFor(() => expect(earlier.current.state).toBe("failed"));
  act(() => earlier.current.fetchAhead());
  expect(server.asked).toHaveLength(1);
  server.isDown = false;
  act(() => earlier.current.load());
  await waitFor(() => expect(earlier.current.count).toBe(2));
});

test("a thread that is there as a whole asks for nothing", () => {
  const server = fakeServer();
  const earlier = mount(null);
  act(() => earlier.current.load());
  act(() => earlier.current.fetchAhead());
  expect([earlier.current.state, server.asked]).toEqual(["none", []]);
});

test.each([
  ["from where it was first read", { earlierCursor: "30" }, "/api/threads/th?from=30"],
  ["from its start when it was read whole", { earlierCursor: null }, "/api/threads/th?from=0"],
  ["by its newest messages the first time", undefined, "/api/threads/th"],
])("a thread is read %s", async (_, known, path) => {
  const server = fakeServer();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (known) client.setQueryData(threadQuery("th").queryKey, known as never);
  await client.fetchQuery(threadQuery("th")).catch(() => undefined);
  expect(server.asked).toEqual([path]);
});
