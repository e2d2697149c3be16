import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useFileEdit } from "./use-file-edit";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A file whose next upload takes until `finish`. */
function openFile(content: string) {
  let stored = content;
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", async (_path: string, { method, body }: RequestInit) => {
    if (method !== "PUT") return new Response(stored);
    await finished;
    stored = await ((body as FormData).get("file") as File).text();
    return new Response(null, { status: 204 });
  });
  return { finish, stored: () => stored };
}

/** False when the browser would ask first. */
function leaves(): boolean {
  return window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

test("what is typed while a file is being saved stays to be saved as well", async () => {
  const file = openFile("one\r\n");
  const { result } = renderHook(() => useFileEdit("th", "a.txt"), { wrapper: withQueries() });
  await waitFor(() => expect(result.current.begin).not.toBeNull());
  act(() => result.current.begin?.());
  act(() => result.current.edit?.setText("one\ntwo\n"));
  act(() => result.current.edit?.save());
  act(() => result.current.edit?.setText("one\ntwo\nthree\n"));
  await act(async () => file.finish());
  await waitFor(() => expect(result.current.edit?.isSaving).toBe(false));
  expect(file.stored()).toBe("one\r\ntwo\r\n");
  expect(result.current.edit?.text).toBe("one\ntwo\nthree\n");
  expect(result.current.edit?.isDirty).toBe(true);
  act(() => result.current.edit?.save());
  await waitFor(() => expect(result.current.edit).toBeNull());
  expect(file.stored()).toBe("one\r\ntwo\r\nthree\r\n");
});

test("leaving the page asks first while a file has changes that are not saved", async () => {
  openFile("one");
  const { result } = renderHook(() => useFileEdit("th", "a.txt"), { wrapper: withQueries() });
  await waitFor(() => expect(result.current.begin).not.toBeNull());
  act(() => result.current.begin?.());
  expect(leaves()).toBe(true);
  act(() => result.current.edit?.setText("two"));
  expect(leaves()).toBe(false);
  act(() => result.current.edit?.discard());
  expect(leaves()).toBe(true);
});
