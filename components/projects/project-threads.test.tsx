import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Project } from "@/lib/schema/projects/project";
import type { ProjectThreadSummary, ThreadProject } from "@/lib/schema/projects/thread-project";
import type { ThreadListItem } from "@/lib/schema/threads/thread";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ProjectThreads } from "./project-threads";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = new Date().toISOString();
const IN_PROJECT: ThreadProject = {
  id: "p",
  name: "Billing",
  role: "write",
  files: "project",
  startedBy: { id: "me", name: "Mara Klein" },
  ownerName: "Mara Klein",
};
const PROJECT: Project = {
  id: "p",
  name: "Billing",
  description: "",
  agentId: null,
  role: "write",
  archived: false,
  threads: 5,
  createdAt: AT,
  updatedAt: AT,
  instructions: null,
  members: [],
  counts: { all: 5, waiting: 1, running: 1, mine: 5 },
  cost: { usd: 0, isPartial: false, budgetUsd: null },
};

function thread(
  title: string,
  status: ThreadListItem["status"],
  facts: Partial<ProjectThreadSummary>,
  files: ThreadProject["files"] = "project",
): ThreadListItem {
  return {
    id: title,
    agentId: "a",
    agentName: "coder",
    title,
    pinned: false,
    archived: false,
    project: { ...IN_PROJECT, files },
    status,
    activeRunId: null,
    createdAt: AT,
    updatedAt: AT,
    facts: { fileAccess: "write", steps: 0, waitingFor: null, errorCode: null, cancelledBy: null, ...facts },
  };
}

test("a row says how far the thread is, and whose files its agent reads or writes", async () => {
  const threads = [
    thread("One", "running", { steps: 7 }),
    thread("Two", "limit", { steps: 25 }, "thread"),
    thread("Three", "waiting", { waitingFor: "question" }),
    thread("Four", "completed", { steps: 3, fileAccess: "read" }),
    thread("Five", null, { fileAccess: "none" }),
  ];
  vi.stubGlobal("fetch", async () => Response.json({ threads, nextCursor: null }));
  render(<ProjectThreads project={PROJECT} viewerId="me" />, { wrapper: withQueries() });
  await screen.findByRole("link", { name: "One" });
  const cells = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(cells.map(([status, title, , files]) => [status, title, files])).toEqual([
    ["Runningstep 7", "One", "project files"],
    ["Limit25 steps", "Two", "own files"],
    ["Waitingquestion", "Three", "project files"],
    ["Completed", "Four", "project files, read only"],
    ["New", "Five", "no files"],
  ]);
});
