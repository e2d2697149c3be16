import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import type { EarlierMessages } from "@/lib/client/chat/use-earlier-messages";
import { useFoundBranch } from "./use-found-branch";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

interface Page {
  readonly shown: readonly string[];
  readonly state: EarlierMessages["state"];
}

it("shows the branch of a found message once the thread is known not to show it", () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    asked.push([method, path, body]);
    return new Response(null, { status: 204 });
  });
  const { rerender } = renderHook(
    ({ shown, state }: Page) =>
      useFoundBranch(
        "th_1",
        "m9",
        shown.map((id) => ({ id }) as ChatMessage),
        { state },
      ),
    { initialProps: { shown: ["m1"], state: "more" } },
  );
  expect(asked).toEqual([]);
  rerender({ shown: ["m0", "m1"], state: "all" });
  rerender({ shown: ["m0", "m1", "m2"], state: "all" });
  expect(asked).toEqual([["PUT", "/api/threads/th_1/branch", JSON.stringify({ messageId: "m9" })]]);
});

it("leaves a thread alone that shows the message", () => {
  const fetch = vi.fn();
  vi.stubGlobal("fetch", fetch);
  renderHook(() => useFoundBranch("th_1", "m1", [{ id: "m1" } as ChatMessage], { state: "none" }));
  expect(fetch).not.toHaveBeenCalled();
});
