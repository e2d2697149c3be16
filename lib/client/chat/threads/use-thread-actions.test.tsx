import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ToastRegion } from "@/components/ui/overlays/toast";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useThreadActions } from "./use-thread-actions";

const { push } = vi.hoisted(() => ({ push: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

afterEach(() => {
  cleanup();
  push.mockReset();
  open = null;
  vi.unstubAllGlobals();
});

const AT = new Date().toISOString();
const THREAD: ThreadSummary = {
  id: "th_1",
  agentId: "a",
  agentName: "A",
  title: "Otters",
  pinned: false,
  archived: false,
  status: "completed",
  activeRunId: null,
  createdAt: AT,
  updatedAt: AT,
};

let open: string | null = null;
let actions: ReturnType<typeof useThreadActions>;

function Page() {
  actions = useThreadActions(open);
  return <p>{actions.hidden.has(THREAD.id) ? "hidden" : "shown"}</p>;
}

beforeEach(() => {
  render(
    <>
      <Page />
      <ToastRegion />
    </>,
    { wrapper: withQueries() },
  );
});

const refuses = async () =>
  Response.json({ error: { code: "internal", message: "The disk is full." } }, { status: 500 });

describe("the menu of a thread", () => {
  it.each([
    ["deletion", /^Deleted/u, () => actions.remove(THREAD)],
    ["archiving", /^Archived/u, () => actions.archive(THREAD)],
  ])("is not said to be done when it was refused: %s", async (_, done, work) => {
    vi.stubGlobal("fetch", refuses);
    act(work);
    await screen.findByText("The disk is full.");
    expect(screen.queryByText(done)).toBeNull();
    expect(screen.getByText("shown")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
  });

  it("hides a thread at once, and offers it back once it is deleted", async () => {
    const asked: string[] = [];
    const deleted = Promise.withResolvers<Response>();
    vi.stubGlobal("fetch", (path: string, { method }: RequestInit) => {
      asked.push(`${method} ${path}`);
      return method === "DELETE" ? deleted.promise : Promise.resolve(Response.json({}));
    });
    act(() => actions.remove(THREAD));
    expect(screen.getByText("hidden")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    deleted.resolve(new Response(null, { status: 204 }));
    fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("shown");
    expect(asked).toEqual(["DELETE /api/threads/th_1", "POST /api/threads/th_1/restore"]);
  });

  it("leads back to the open thread when its deletion is undone", async () => {
    open = THREAD.id;
    cleanup();
    render(
      <>
        <Page />
        <ToastRegion />
      </>,
      { wrapper: withQueries() },
    );
    vi.stubGlobal("fetch", async (_: string, { method }: RequestInit) =>
      method === "DELETE" ? new Response(null, { status: 204 }) : Response.json({}),
    );
    act(() => actions.remove(THREAD));
    fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await vi.waitFor(() => expect(push.mock.calls).toEqual([["/"], ["/threads/th_1"]]));
  });
});
