import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useSkillEdit } from "./use-skill-edit";

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const DETAIL = {
  name: "pdf",
  description: "Fill in forms",
  source: "edit",
  fileCount: 1,
  sizeBytes: 1,
  updatedAt: "2026-11-14T10:00:00.000Z",
  usedBy: [],
  license: null,
  compatibility: null,
  metadata: {},
  allowedTools: null,
  files: [{ path: "SKILL.md", sizeBytes: 1 }],
  versions: [],
};

test("what is typed while a file is being saved stays to be saved as well", async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const sent: object[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    await finished;
    sent.push(JSON.parse(String(body)));
    return Response.json({ ...DETAIL, version: sent.length + 1, shownVersion: sent.length + 1 });
  });
  const { result, rerender } = renderHook(({ version }) => useSkillEdit({ name: "pdf", version }, "SKILL.md"), {
    wrapper: withQueries(),
    initialProps: { version: 1 },
  });
  act(() => result.current.begin("one"));
  act(() => result.current.setText("two"));
  act(() => result.current.save());
  act(() => result.current.setText("two and more"));
  await act(async () => finish());
  await waitFor(() => expect(result.current.isSaving).toBe(false));
  rerender({ version: 2 });
  expect(result.current).toMatchObject({ text: "two and more", newerVersion: null });
  act(() => result.current.save());
  await waitFor(() => expect(result.current.text).toBeNull());
  expect(sent).toMatchObject([
    { content: "two", version: 1 },
    { content: "two and more", version: 2 },
  ]);
});
