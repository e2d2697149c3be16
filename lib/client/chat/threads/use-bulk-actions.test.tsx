import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ToastRegion } from "@/components/ui/overlays/toast";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useBulkActions } from "./use-bulk-actions";

afterEach(() => {
  cleanup();
  onDone.mockClear();
  vi.unstubAllGlobals();
});

let actions: ReturnType<typeof useBulkActions>;

const onDone = vi.fn();

function Page() {
  actions = useBulkActions(onDone);
  return null;
}

test("moved threads go back to where each was, except one that could not be moved", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    asked.push(`${path.split("/").at(-1)} ${body}`);
    if (!path.endsWith("busy")) return Response.json({});
    return Response.json({ error: { code: "busy", message: "Its run has not ended." } }, { status: 409 });
  });
  render(
    <>
      <Page />
      <ToastRegion />
    </>,
    { wrapper: withQueries() },
  );
  act(() => actions.move(["a", "b", "busy"], { id: "fruit", name: "Fruit" }, new Map([["b", "bread"]])));
  await screen.findByText("Moved 2 threads to Fruit");
  expect(screen.getByText("1 thread could not be moved. Its run has not ended.")).toBeTruthy();
  asked.length = 0;
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Moved 2 threads back");
  expect(asked.toSorted()).toEqual(['a {"projectId":null}', 'b {"projectId":"bread"}']);
});

test("an undo does not end what was selected since", async () => {
  vi.stubGlobal("fetch", async () => Response.json({}));
  render(
    <>
      <Page />
      <ToastRegion />
    </>,
    { wrapper: withQueries() },
  );
  act(() => actions.archive(["a"], true));
  await screen.findByText("Archived 1 thread");
  expect(onDone).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Unarchived 1 thread");
  expect(onDone).toHaveBeenCalledTimes(1);
});
