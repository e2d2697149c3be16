import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { useKeepListOrder } from "@/lib/client/trace/list/list-order";
import { RunSteps } from "./run-steps";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function Listed({ runIds }: { runIds: readonly string[] }) {
  useKeepListOrder(runIds);
  return null;
}

function show(runId: string) {
  const go = vi.fn();
  render(
    <ShellProvider value={{ setPageKeys: vi.fn(), go } as unknown as Shell}>
      <RunSteps runId={runId} />
    </ShellProvider>,
  );
  return go;
}

it("leads to the runs above and below in the list that was last open", () => {
  render(<Listed runIds={["a", "b", "c"]} />);
  cleanup();
  const go = show("b");
  fireEvent.click(screen.getByRole("button", { name: "Run above" }));
  fireEvent.keyDown(document.body, { key: "]" });
  expect(go.mock.calls).toEqual([["/traces/a"], ["/traces/c"]]);
});

it("ends at the ends of the list, and is absent for a run that was not in it", () => {
  render(<Listed runIds={["a", "b"]} />);
  cleanup();
  show("a");
  expect(screen.getByRole("button", { name: "Run above" }).hasAttribute("disabled")).toBe(true);
  cleanup();
  show("other");
  expect(screen.queryByRole("button", { name: "Run above" })).toBeNull();
});
