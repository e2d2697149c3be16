import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MemoryDetail } from "@/lib/schema/files/memory";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useMemoryEdit } from "./use-memory-edit";

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function document(version: number, content: string): MemoryDetail {
  return {
    id: "md_1",
    path: "MEMORY.md",
    kind: "long_term",
    agentId: "coder",
    agentName: "Coder",
    userId: "usr_1",
    userName: "Ada",
    threadId: null,
    sizeChars: content.length,
    version,
    updatedAt: "2026-11-14T10:00:00.000Z",
    updatedBy: { author: "user", name: "Ada", runId: null },
    content,
    tokens: 1,
    inPrompt: "always",
    cut: null,
  };
}

/** A document whose next save takes until `finish`. */
function openDocument(content: string) {
  let stored = document(1, content);
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    await finished;
    stored = document(stored.version + 1, JSON.parse(String(body)).content);
    return Response.json(stored);
  });
  const hook = renderHook(({ current }) => useMemoryEdit(current), {
    wrapper: withQueries(),
    initialProps: { current: stored },
  });
  return { ...hook, finish, stored: () => stored };
}

test("what is typed while a document is being saved stays to be saved as well", async () => {
  const { result, rerender, finish, stored } = openDocument("one\n");
  act(() => result.current.setText("one\ntwo\n"));
  act(() => result.current.save());
  act(() => result.current.setText("one\ntwo\nthree\n"));
  await act(async () => finish());
  await waitFor(() => expect(result.current.isSaving).toBe(false));
  rerender({ current: stored() });
  expect(result.current).toMatchObject({ text: "one\ntwo\nthree\n", isDirty: true, conflict: null });
  act(() => result.current.save());
  await waitFor(() => expect(stored()).toMatchObject({ version: 3, content: "one\ntwo\nthree\n" }));
  rerender({ current: stored() });
  await waitFor(() => expect(result.current.isDirty).toBe(false));
});

test("changes in other lines than those of a newer version are merged, and then saved over it", async () => {
  const { result, rerender, finish, stored } = openDocument("a\nb\nc\n");
  act(() => result.current.setText("mine\nb\nc\n"));
  rerender({ current: document(2, "a\nb\ntheirs\n") });
  expect(result.current.conflict?.merged).toBe("mine\nb\ntheirs\n");
  act(() => result.current.save());
  expect(result.current.isSaving).toBe(false);
  act(() => result.current.conflict?.merge());
  expect(result.current.conflict).toBeNull();
  act(() => result.current.save());
  await act(async () => finish());
  await waitFor(() => expect(stored().content).toBe("mine\nb\ntheirs\n"));
});
