import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useOpenChildRun } from "./child-run-context";
import { ChildRuns } from "./child-runs";

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Card({ runId }: { runId: string }) {
  const open = useOpenChildRun();
  return (
    <button type="button" onClick={() => open?.({ runId, title: runId })}>
      {`open ${runId}`}
    </button>
  );
}

test("the subagent of a subagent opens in its place, and there is a way back", async () => {
  render(
    <ChildRuns>
      <Card runId="explorer" />
      <Card runId="reader" />
    </ChildRuns>,
    { wrapper: withQueries() },
  );
  const [explorer, reader] = screen.getAllByRole("button");
  fireEvent.click(explorer as HTMLElement);
  expect(await screen.findByRole("dialog", { name: "explorer" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Back/ })).toBeNull();
  fireEvent.click(reader as HTMLElement);
  expect(await screen.findByRole("dialog", { name: "reader" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Back to explorer" }));
  expect(await screen.findByRole("dialog", { name: "explorer" })).toBeTruthy();
});
