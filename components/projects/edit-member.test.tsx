import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Project, ProjectMember } from "@/lib/schema/projects/project";
import { withQueries } from "@/lib/testing/react/with-queries";
import { EditMember } from "./edit-member";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));
afterEach(cleanup);

const PROJECT: Project = {
  id: "prj_1",
  name: "Billing",
  description: "",
  agentId: null,
  role: "owner",
  archived: false,
  threads: 0,
  createdAt: "2026-11-20T12:20:00.000Z",
  updatedAt: "2026-11-20T12:20:00.000Z",
  instructions: null,
  members: [],
  counts: { all: 0, waiting: 0, running: 0, mine: 0 },
  cost: { usd: 0, isPartial: false, budgetUsd: null },
};
const member = (openRuns: number): ProjectMember => ({ userId: "u", name: "Jonas Thiel", role: "write", openRuns });

function removalOf(openRuns: number, isSelf = false): string {
  render(<EditMember project={PROJECT} member={member(openRuns)} isSelf={isSelf} onClose={() => undefined} />, {
    wrapper: withQueries(),
  });
  fireEvent.click(screen.getByRole("button", { name: isSelf ? "Leave the project" : "Remove from the project" }));
  return screen.getByRole("dialog").textContent ?? "";
}

test.each([
  [0, "files. Threads they started stay"],
  [1, "files. Their run here will be stopped. Threads they started stay"],
  [2, "files. Their 2 runs here will be stopped. Threads they started stay"],
])("removing a member with %i open runs says what happens to them and to their threads", (openRuns, words) => {
  expect(removalOf(openRuns)).toContain(words);
});

test("who leaves is told the same about their own", () => {
  expect(removalOf(1, true)).toContain(
    "You lose access to the project's threads and files. Your run here will be stopped. Threads you started stay",
  );
});
