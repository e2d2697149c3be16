import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { BranchContext, type BranchedThread } from "./branches/branch-context";
import { HandoffMarker } from "./handoff-marker";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const HANDOFF = { toolCallId: "call_1", from: "triage", to: "billing", reason: "Needs to book.", atMs: 0 };
const THREAD: BranchedThread = {
  id: "th_1",
  agentId: "triage",
  activeAgentId: "billing",
  isRunningElsewhere: false,
  activeVersion: 6,
  repliesAround: () => [
    { runId: "run_1", traceId: "tr_1", agentVersion: 4 },
    { runId: "run_2", traceId: "tr_2", agentId: "billing", agentName: "Billing desk" },
  ],
};

function open(thread: BranchedThread) {
  render(
    <BranchContext value={thread}>
      <HandoffMarker {...HANDOFF} runId="run_1" />
    </BranchContext>,
    { wrapper: withQueries() },
  );
  return screen.getByRole("complementary", { name: "Handoff" });
}

test("the marker says which versions handed over and answer, leads to both traces, and b takes it back", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (init?.method === "PATCH") sent.push([path, JSON.parse(String(init.body))]);
    return Response.json({});
  });
  const marker = open(THREAD);
  expect(marker.textContent).toMatch(/Billing desk v6 answers nowhanded over by triage v4 at \d\d:\d\d/);
  fireEvent.click(screen.getByRole("button", { name: "Open both traces" }));
  for (const [name, path] of [
    ["triage", "/traces/tr_1"],
    ["Billing desk", "/traces/tr_2"],
  ]) {
    const link = await screen.findByRole("menuitem", { name: `Trace of ${name}` });
    expect(link.getAttribute("href")).toBe(path);
  }
  fireEvent.keyDown(document.body, { key: "b" });
  await waitFor(() => expect(sent).toEqual([["/api/threads/th_1", { activeAgentId: null }]]));
});

test("what was taken back is one line that says when", () => {
  const takenBack = { toolCallId: "call_1", atMs: Date.UTC(2026, 10, 24, 14, 40) };
  const marker = open({ ...THREAD, activeAgentId: "triage", takenBack });
  expect(marker.textContent).toMatch(/^Taken back by you at \d\d:\d\d/);
  expect(marker.textContent).not.toContain("Needs to book.");
});
