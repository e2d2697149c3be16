import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { THEN } from "@/lib/schema/permissions/what-if";
import { withQueries } from "@/lib/testing/react/with-queries";
import { WhatIfBlock } from "./what-if-block";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CALL = {
  ...{ runId: "r", traceId: "t", spanId: "s", tool: "execute", startedAt: "2026-11-17T12:00:00.000Z" },
  ...{ was: "asked", would: "allowed", rule: "Rule: allow execute (command: npm *).", decidedBy: "Jonas Thal" },
};
const DENIED = {
  ...{ ...CALL, toolCallId: "c1", gist: "npm install left-pad", decision: "deny", reason: "not without a review" },
  askRule: { tool: "execute", args: { command: "npm install left-pad" } },
};
const ALLOWED = { ...CALL, toolCallId: "c2", gist: "npm ci", decision: "allow", reason: null, askRule: null };
const FOUND = {
  ...{ calls: 412, unknown: 3, isCut: false, promptsSaved: 2, newlyAsked: 0, newlyAllowed: 2, newlyDenied: 0 },
  ...{ deniedByPeople: 1, changed: [DENIED, ALLOWED], wildcards: ["execute (command: npm *)"] },
  saved: [{ tool: "execute", gist: "npm ci", calls: 1 }],
  now: { allowed: 320, asked: 86, denied: 6 },
  [THEN]: { allowed: 322, asked: 84, denied: 6 },
};

function show(found: object = FOUND) {
  const onAskBefore = vi.fn();
  const fetched = vi.fn(async (_url: string, _init: { body: string }) => Response.json(found));
  const none = { proposals: [] };
  const answer = (url: string, init: { body: string }) =>
    url.startsWith("/api/permissions/proposals") ? Response.json(none) : fetched(url, init);
  vi.stubGlobal("fetch", async (url: string, init: { body: string }) => answer(url, init));
  render(<WhatIfBlock agentId="coder" rules={{ allow: ["execute"] }} onAskBefore={onAskBefore} onAllow={vi.fn()} />, {
    wrapper: withQueries(),
  });
  return { onAskBefore, bodies: () => fetched.mock.calls.map(([, { body }]) => JSON.parse(body)) };
}

test("one sentence stands there first, with what a person had denied in it", async () => {
  show();
  const sentence = await screen.findByText(/2 prompts fewer/);
  expect(sentence.textContent).toBe(
    "Of 412 calls in 30 days: 2 prompts fewer, 1 newly allowed that a person had denied.",
  );
  expect(screen.queryByRole("table")).toBeNull();
});

test("the details begin with what a person had denied, and a press asks before it", async () => {
  const { onAskBefore } = show();
  fireEvent.click(await screen.findByRole("button", { name: "Details" }));
  const row = within(screen.getByRole("row", { name: /With this draft/ }));
  expect(row.getAllByRole("cell").map(({ textContent }) => textContent?.trim())).toEqual(["322 +2", "84 −2", "6"]);
  expect(screen.getByRole("link", { name: "execute npm install left-pad" }).getAttribute("href")).toContain(
    "/traces/t?",
  );
  expect(screen.getByText("denied by Jonas Thal → allowed")).toBeTruthy();
  expect(screen.getByText(/also matches several commands in a row/)).toBeTruthy();
  expect(screen.getByText(/Of 3 more, too little was recorded/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Ask before these" }));
  expect(onAskBefore).toHaveBeenCalledExactlyOnceWith([DENIED.askRule]);
});

test("another period asks again; without calls there are no details", async () => {
  const { bodies } = show({ ...FOUND, calls: 0, unknown: 0 });
  expect(await screen.findByText("No calls in 30 days to learn from.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Details" })).toBeNull();
  fireEvent.click(screen.getByRole("radio", { name: "7 days" }));
  expect(await screen.findByText("No calls in 7 days to learn from.")).toBeTruthy();
  expect(bodies().map(({ agentId, days }) => [agentId, days])).toEqual([
    ["coder", 30],
    ["coder", 7],
  ]);
});
