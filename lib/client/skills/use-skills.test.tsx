import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useDeleteSkill } from "./use-skills";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("deletes once while the server takes its time", async () => {
  const answer = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal("fetch", answer);
  const wrapper = withQueries();
  const { result } = renderHook(useDeleteSkill, { wrapper });
  void result.current.remove("web-research");
  await waitFor(() => expect(result.current.isDeleting).toBe(true));
  expect(await result.current.remove("web-research")).toBe(false);
  expect(answer).toHaveBeenCalledOnce();
});
