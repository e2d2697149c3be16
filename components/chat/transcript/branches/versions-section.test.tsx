import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { VersionsSection } from "./versions-section";

const reply = (messageId: string, change: object = {}) => ({
  messageId,
  status: "completed",
  steps: 6,
  model: "openai:gpt-5",
  costUsd: 0.05,
  isShown: false,
  ...change,
});
const version = (messageId: string, replies: object[], isShown = false) => ({
  messageId,
  text: `Text of ${messageId}`,
  createdAt: "2026-11-20T12:00:00.000Z",
  isShown,
  replies,
});

let asked: string[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    asked.push([method, path, body ?? ""].join(" ").trim());
    if (method === "PUT") return new Response(null, { status: 204 });
    const versions = [
      version("m1", [reply("a1")]),
      version("m2", [reply("a2"), reply("a3", { isShown: true, costUsd: null })], true),
      version("m3", [reply("a4", { status: "running" })]),
    ];
    return Response.json(path.endsWith("/branch") ? { versions } : {});
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("versions say what they took and cost, the shown one is marked, and each can be shown", async () => {
  render(<VersionsSection threadId="th_1" moment="1" />, { wrapper: withQueries() });
  const first = await screen.findByRole("button", { name: /Text of m1/ });
  expect(first.textContent).toContain("6 steps, $0.05");
  const current = screen.getAllByRole("button").filter((row) => row.getAttribute("aria-current") === "true");
  expect(current.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("2 Text of m22 replies, cost unknown"),
    "reply 2, gpt-5cost unknown",
  ]);
  expect(screen.getByRole("button", { name: /Text of m3/ }).textContent).toContain("being answered");
  fireEvent.click(screen.getByRole("button", { name: /reply 1/ }));
  await waitFor(() => expect(asked).toContain('PUT /api/threads/th_1/branch {"messageId":"a2"}'));
});
