import { QueryClient } from "@tanstack/react-query";
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useDecide } from "./use-decisions";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function decideAgainst(code: string) {
  vi.stubGlobal("fetch", async () => Response.json({ error: { code, message: "No." } }, { status: 409 }));
  const queryClient = new QueryClient();
  const { result } = renderHook(() => useDecide("page", async () => undefined), {
    wrapper: withQueries(queryClient),
  });
  return result.current("run_1", { tool_call_id: "c1", decision: "allow" });
}

test("an earlier decision of another person is not an error: the card shows it", async () => {
  await expect(decideAgainst("conflict")).resolves.toBe(false);
});

test("shows at the card that the run is not waiting, and the card can be pressed again", async () => {
  await expect(decideAgainst("not_waiting")).rejects.toThrow("No.");
});
