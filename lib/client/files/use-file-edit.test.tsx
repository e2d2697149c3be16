import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { toPreview } from "./file-queries";
import { saveEdited, useFileEdit, withLineEnds } from "./use-file-edit";

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

/** False if the browser would ask first. */
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

afterEach(() => void vi.unstubAllGlobals());

describe("an edited file", () => {
  it("keeps the mark at its start by which other programs know its encoding", async () => {
    const stored = new Blob(["\ufeffname;größe"]);
    const written: FormDataEntryValue[] = [];
    vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
      if (body instanceof FormData) written.push(body.get("file") ?? "");
      return new Response(stored);
    });
    const preview = await toPreview("a.csv", stored);
    const before = preview.kind === "text" ? preview.text : "";
    const edited = { threadId: "th", path: "a.csv", before, text: `${before}\na;1` };
    expect(await saveEdited(edited)).toBe("saved");
    const bytes = Buffer.from(await (written[0] as File).arrayBuffer());
    expect(bytes.toString("hex")).toBe(Buffer.from("\ufeffname;größe\na;1").toString("hex"));
  });

  it("keeps the ends of line that it had", () => {
    expect(withLineEnds("a\nb\n", "x\r\ny\r\n")).toBe("a\r\nb\r\n");
    expect(withLineEnds("a\nb\n", "x\ny")).toBe("a\nb\n");
  });
});
