import { QueryClient } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useYamlDraft } from "./use-yaml-draft";

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ valid: true, problems: [] }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** False when the browser would ask first. */
function leaves(): boolean {
  return window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

test("leaving the page with a changed text asks first, and no longer once the change is undone", () => {
  const queryClient = new QueryClient();
  const { result } = renderHook(() => useYamlDraft("name: A"), {
    wrapper: withQueries(queryClient),
  });
  expect(leaves()).toBe(true);
  act(() => result.current.setText("name: B"));
  expect(leaves()).toBe(false);
  act(() => result.current.setText("name: A"));
  expect(leaves()).toBe(true);
});
