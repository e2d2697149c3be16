import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { awaitPage } from "./awaited-pages";
import { useShownFile } from "./use-shown-file";

vi.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));

let isWide = true;
beforeEach(() => {
  isWide = true;
  vi.stubGlobal("matchMedia", () => ({ matches: isWide }));
  window.history.replaceState(null, "", "/");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

let made = 0;
/** A reply that has written pages. */
function reply(paths = ["page.html"], id = `m${++made}`): ChatMessage[] {
  const parts = paths.map((path) => ({
    type: "dynamic-tool",
    toolCallId: path,
    toolName: "write_file",
    state: "output-available",
    input: {},
    output: { text: "", display: { kind: "file-change", path } },
  })) as ChatMessage["parts"];
  return [{ id, role: "assistant", parts }];
}
const shown = () => new URLSearchParams(window.location.search).get("file");

function show(threadId: string, messages: ChatMessage[], isRunning = false) {
  return renderHook((props) => useShownFile(threadId, props.messages, props.isRunning), {
    initialProps: { messages, isRunning },
  });
}

it("opens a page that a run writes while it is watched", () => {
  const { rerender } = show("th_a", [], true);
  const messages = reply();
  rerender({ messages, isRunning: true });
  expect(shown()).toBe("page.html");
});

it("replaces a page that opened automatically by the next one that the run writes, but not one that a person opened", () => {
  const { rerender, result } = show("th_f", [], true);
  rerender({ messages: reply(["more.html"], "f"), isRunning: true });
  rerender({ messages: reply(["more.html", "index.html"], "f"), isRunning: true });
  expect(shown()).toBe("index.html");
  result.current.open("notes.md");
  rerender({ messages: reply(["more.html", "index.html", "last.html"], "f"), isRunning: true });
  expect(shown()).toBe("notes.md");
});

it("opens no page of a run that ended long before the thread is looked at", () => {
  show("th_b", reply());
  expect(shown()).toBeNull();
});

it("opens a page whose run was sent off from the start page and ended before its thread was shown, once", () => {
  awaitPage("th_c");
  const messages = reply();
  const { unmount } = show("th_c", messages);
  expect(shown()).toBe("page.html");
  unmount();
  window.history.replaceState(null, "", "/");
  show("th_c", messages);
  expect(shown()).toBeNull();
});

it("opens a page that was written while another thread was shown", () => {
  const { unmount } = show("th_d", [], true);
  unmount();
  show("th_d", reply());
  expect(shown()).toBe("page.html");
});

it("leaves the conversation alone where there is no room beside it", () => {
  isWide = false;
  awaitPage("th_e");
  show("th_e", reply());
  expect(shown()).toBeNull();
});
