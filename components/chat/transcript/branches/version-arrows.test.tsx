import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import type { BranchedThread } from "./branch-context";
import { VersionArrows } from "./version-arrows";

afterEach(cleanup);

const THREAD: BranchedThread = { id: "th", agentId: "a", activeAgentId: "a", isRunningElsewhere: false };

function show(editedAtMs?: number) {
  render(<VersionArrows thread={THREAD} siblings={["m1", "m2"]} index={1} editedAtMs={editedAtMs} />, {
    wrapper: withQueries(),
  });
  return screen.getByRole("group", { name: "Versions" });
}

test("an edited message says when that was: the time of today, and the day of earlier ones", async () => {
  const today = show(Date.now());
  await waitFor(() => expect(today.textContent).toMatch(/^2 \/ 2edited \d\d:\d\d$/u));
  cleanup();
  const before = show(Date.UTC(2025, 10, 20, 12));
  await waitFor(() => expect(before.textContent).toMatch(/^2 \/ 2edited 20 Nov, \d\d:\d\d$/u));
  cleanup();
  expect(show().textContent).toBe("2 / 2");
});
