import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { toastStore } from "@/lib/client/ui/toast-store";
import type { MemoryDetail } from "@/lib/schema/files/memory";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useWithdraw } from "./use-withdraw";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a line is withdrawn from the version that is shown, and comes back by the toast", async () => {
  const bodies: { content: string; version: number }[] = [];
  const current = { id: "md_1", path: "MEMORY.md", version: 3, content: "- tea\n- Berlin\n" } as MemoryDetail;
  vi.stubGlobal("fetch", async (_url: string, { body }: RequestInit) => {
    const sent = JSON.parse(String(body));
    bodies.push(sent);
    return Response.json({ ...DETAIL, ...current, content: sent.content, version: sent.version + 1 });
  });
  const { result } = renderHook(() => useWithdraw(current), { wrapper: withQueries() });
  act(() => result.current.mutate({ origin: null, start: 1, lines: ["- tea"], ids: ["ml_1"] }));
  await waitFor(() => expect(bodies).toEqual([{ content: "- Berlin\n", version: 3 }]));
  await waitFor(() => expect(toastStore.read()).toMatchObject([{ title: "Withdrew a line of MEMORY.md" }]));
  act(() => toastStore.read()[0]?.onUndo?.());
  await waitFor(() => expect(bodies[1]).toEqual({ content: "- tea\n- Berlin\n", version: 4 }));
});

const DETAIL = {
  ...{ kind: "long_term", agentId: "coder", agentName: "Coder", userId: "usr_1", userName: "Ada", threadId: null },
  ...{ sizeChars: 5, updatedAt: "2026-11-14T10:00:00.000Z", tokens: 1, inPrompt: "always", cut: null },
  updatedBy: { author: "user", name: "Ada", runId: null },
};
