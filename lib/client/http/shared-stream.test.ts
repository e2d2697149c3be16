import { afterEach, expect, test, vi } from "vitest";
import type { StreamUpdate } from "@/lib/api-client/follow-events";
import { followShared } from "./shared-stream";

const closing: AbortController[] = [];
afterEach(() => {
  for (const tab of closing.splice(0)) tab.abort();
  vi.unstubAllGlobals();
});

/** A server whose connections stay open; `say` sends an event over the newest. */
function serve() {
  const connections: ReadableStreamDefaultController<Uint8Array>[] = [];
  vi.stubGlobal("fetch", async (_path: string, { signal }: RequestInit) => {
    const start = (controller: (typeof connections)[number]) => {
      connections.push(controller);
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }));
  });
  const say = (text: string) => connections.at(-1)?.enqueue(new TextEncoder().encode(`event: ${text}\ndata: 1\n\n`));
  return { connections, say };
}

const greeting: StreamUpdate = { kind: "event", event: { id: undefined, event: "welcome", data: "" } };

/** What it hears: the names of the events. */
function openTab(userId = "ada") {
  const tab = new AbortController();
  closing.push(tab);
  const heard: string[] = [];
  const onUpdate = (update: StreamUpdate) =>
    heard.push(update.kind === "event" ? (update.event.event ?? "") : update.kind);
  const ended = followShared("/feed", { userId, signal: tab.signal, onUpdate, greet: () => [greeting] });
  return { heard, ended, close: () => tab.abort() };
}

test("all tabs hear what comes over one connection; the next takes over when a tab closes", async () => {
  const { connections, say } = serve();
  const first = openTab();
  await expect.poll(() => connections.length).toBe(1);
  const second = openTab();
  await expect.poll(() => second.heard).toEqual(["welcome"]);
  say("one");
  await expect.poll(() => second.heard).toEqual(["welcome", "one"]);
  expect(first.heard).toEqual(["connected", "one"]);
  const third = openTab();
  await expect.poll(() => third.heard).toEqual(["welcome"]);
  expect(second.heard).toEqual(["welcome", "one"]);
  expect(connections).toHaveLength(1);

  first.close();
  await first.ended;
  await expect.poll(() => connections.length).toBe(2);
  say("two");
  await expect.poll(() => third.heard).toEqual(["welcome", "connected", "two"]);
  expect(second.heard).toEqual(["welcome", "one", "connected", "two"]);
  expect(first.heard).toEqual(["connected", "one"]);
});

test("a tab that closes while it only listens takes nothing from the others", async () => {
  const { connections, say } = serve();
  const [first, second] = [openTab(), openTab()];
  await expect.poll(() => connections.length).toBe(1);
  second.close();
  await second.ended;
  say("one");
  await expect.poll(() => first.heard).toContain("one");
  expect(connections).toHaveLength(1);
});

test("tabs of different people share nothing", async () => {
  const { connections, say } = serve();
  const ada = openTab("ada");
  await expect.poll(() => connections.length).toBe(1);
  const bob = openTab("bob");
  await expect.poll(() => connections.length).toBe(2);
  say("for bob");
  await expect.poll(() => bob.heard).toEqual(["connected", "for bob"]);
  expect(ada.heard).toEqual(["connected"]);
});

test("a refusal ends it in each tab", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ error: { code: "no", message: "No." } }, { status: 401 }));
  const tabs = [openTab(), openTab()];
  for (const { ended } of tabs) await expect(ended).rejects.toMatchObject({ status: 401 });
});

test("without locks each tab has its own connection", async () => {
  vi.stubGlobal("navigator", {});
  const { connections, say } = serve();
  const tabs = [openTab(), openTab()];
  await expect.poll(() => connections.length).toBe(2);
  say("one");
  await expect.poll(() => tabs.map(({ heard }) => heard.includes("one"))).toEqual([false, true]);
});
