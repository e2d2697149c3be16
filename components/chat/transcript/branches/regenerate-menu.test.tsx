import { act, cleanup, render, screen } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { RegenerateMenu } from "./regenerate-menu";

const VIEWER = { id: "u", name: "Mara", email: "m@example.org", role: "member", scopes: ["read", "chat"] } as const;
const SHELL = {
  viewer: { ...VIEWER, scopes: [...VIEWER.scopes] },
  go: vi.fn(),
  openPalette: vi.fn(),
  setPageKeys: vi.fn(),
};
const THREAD = { id: "th_1", agentId: "a", activeAgentId: "a", isRunningElsewhere: false };

let answer: () => void;
beforeEach(() => {
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal("fetch", async (path: string) => {
    if (path === "/agents") return Response.json({ agents: [] });
    await asked;
    return Response.json({ agentId: "a", models: [{ model: "openai:gpt-5", costUsd: 0.04 }], draft: null });
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(): void {
  const trigger = createRef<HTMLButtonElement>();
  const message = { id: "m1", role: "assistant", parts: [], metadata: { runId: "run_1" } } as const;
  render(
    <ShellProvider value={SHELL}>
      <button ref={trigger} type="button">
        Regenerate
      </button>
      <RegenerateMenu thread={THREAD} message={{ ...message, parts: [] }} trigger={trigger} onClose={() => undefined} />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
}
const rows = () => screen.queryAllByRole("menuitem").map(({ textContent }) => textContent);

test("the menu opens with all of its rows, so none moves under the pointer", async () => {
  open();
  expect(rows()).toEqual([]);
  answer();
  await screen.findByRole("menu");
  expect(rows()).toEqual([expect.stringContaining("Same again"), expect.stringContaining("gpt-5")]);
});

test("where the models take long, it opens with what is known and says that the rest comes", async () => {
  vi.useFakeTimers();
  open();
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(rows()).toEqual([expect.stringContaining("Same again")]);
  expect(screen.getByLabelText("Loading other models and agents")).toBeTruthy();
  answer();
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(rows()).toHaveLength(2);
  expect(screen.queryByLabelText("Loading other models and agents")).toBeNull();
});
