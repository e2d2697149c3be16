import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callKey, DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ConnectCard, type ConnectCardProps } from "./connect-card";

const place = vi.hoisted(() => ({ pathname: "/threads/th_1" }));
vi.mock("next/navigation", () => ({ usePathname: () => place.pathname }));

const asked: [string, unknown][] = [];
const left: string[] = [];
beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    asked.push([path, JSON.parse(String(body))]);
    return Response.json({ url: "https://forge.test/authorize" });
  });
  vi.stubGlobal("location", { ...window.location, assign: (url: string) => void left.push(url) });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.length = 0;
  left.length = 0;
  place.pathname = "/threads/th_1";
});

function show(more: Partial<ConnectCardProps> = {}) {
  const decide = vi.fn(async () => undefined);
  const connect = { serverId: "forge", host: "forge.test", lostSince: null };
  const card = {
    runId: "run_1",
    toolCallId: "call_1",
    tool: "mcp__forge__open",
    connect,
    askedAtMs: null,
    isReady: true,
  };
  render(
    <DecisionsProvider value={{ decide, firstCall: callKey("run_1", "call_1"), asked: null }}>
      <ConnectCard {...card} {...more} />
    </DecisionsProvider>,
    { wrapper: withQueries() },
  );
  return decide;
}

test("it says which call waits for which server, and that nothing was sent", () => {
  show({ from: "worker" });
  const text = screen.getByRole("region", { name: "Connection: forge" }).textContent;
  for (const words of [
    "mcp__forge__open",
    "forge.test",
    "subagent worker",
    "you are not connected",
    "Nothing has been sent",
  ]) {
    expect(text).toContain(words);
  }
});

test("a connection that the server refuses by now is called that", () => {
  show({ connect: { serverId: "forge", host: null, lostSince: "2026-01-01T00:00:00.000Z" } });
  expect(screen.getByRole("region").textContent).toContain("The server no longer accepts your connection.");
});

test("y leaves for the server's sign-in, once, which leads back to the thread", async () => {
  show();
  fireEvent.keyDown(document.body, { key: "y" });
  await waitFor(() => expect(left).toEqual(["https://forge.test/authorize"]));
  fireEvent.keyDown(document.body, { key: "y" });
  expect(asked).toEqual([["/api/mcp-servers/forge/connect", { returnTo: "thread", threadId: "th_1" }]]);
});

test("from the inbox it leads back to the inbox", async () => {
  place.pathname = "/inbox";
  show();
  fireEvent.click(screen.getByRole("button", { name: /^Connect/ }));
  await waitFor(() => expect(asked).toEqual([["/api/mcp-servers/forge/connect", { returnTo: "inbox" }]]));
});

test("n denies; before the run waits nothing can be pressed", () => {
  const decide = show();
  fireEvent.keyDown(document.body, { key: "n" });
  expect(decide.mock.calls).toEqual([["run_1", { tool_call_id: "call_1", decision: "deny" }]]);
  cleanup();
  const early = show({ isReady: false });
  fireEvent.keyDown(document.body, { key: "n" });
  fireEvent.keyDown(document.body, { key: "y" });
  expect([early.mock.calls.length, asked.length]).toEqual([0, 0]);
});
