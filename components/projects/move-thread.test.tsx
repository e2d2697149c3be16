import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ToastRegion } from "@/components/ui/overlays/toast";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { withQueries } from "@/lib/testing/react/with-queries";
import { MoveThread } from "./move-thread";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = new Date().toISOString();
const PROJECT = {
  id: "fruit",
  name: "Fruit",
  description: "",
  agentId: null,
  role: "write",
  archived: false,
  threads: 1,
  createdAt: AT,
  updatedAt: AT,
};
const THREAD: ThreadSummary = {
  id: "th",
  agentId: "a",
  agentName: "A",
  title: "Apples",
  pinned: false,
  archived: false,
  project: {
    id: "bread",
    name: "Bread",
    role: "owner",
    files: "project",
    startedBy: { id: "u", name: "Mara" },
    ownerName: "Mara",
  },
  status: "completed",
  activeRunId: null,
  createdAt: AT,
  updatedAt: AT,
};

test("a thread that was moved to another project can be moved back from the notice", async () => {
  const moved: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { method, body }: RequestInit) => {
    if (method !== "PATCH") {
      return Response.json({ projects: [PROJECT, { ...PROJECT, id: "bread", name: "Bread" }], nextCursor: null });
    }
    moved.push(JSON.parse(String(body)));
    return Response.json({});
  });
  const onClose = vi.fn();
  render(
    <>
      <MoveThread thread={THREAD} onClose={onClose} />
      <ToastRegion />
    </>,
    { wrapper: withQueries() },
  );
  const field = await screen.findByRole("button", { name: /Bread Project$/u });
  fireEvent.click(field);
  fireEvent.click(within(await screen.findByRole("listbox")).getByRole("option", { name: "Fruit" }));
  fireEvent.click(screen.getByRole("button", { name: "Move" }));
  await screen.findByText("Moved to Fruit");
  expect(onClose).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole("button", { name: "Undo", hidden: true }));
  await waitFor(() => expect(moved).toEqual([{ projectId: "fruit" }, { projectId: "bread" }]));
});
