import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { MessageView } from "./message-view";

vi.mock("@/components/ui/markdown/markdown", () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }));

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

/** A live reply whose calls have listed these folders. */
function Reply({ folders }: { folders: readonly string[] }) {
  const parts = folders.flatMap((path) => [
    {
      type: "dynamic-tool",
      toolCallId: path,
      toolName: "ls",
      state: "output-available",
      input: { path },
      output: { text: `inside ${path}` },
    },
    { type: "data-tool-meta", id: path, data: { toolCallId: path, startedAtMs: 1, kind: "read", gist: path } },
  ]) as ChatMessage["parts"];
  const message: ChatMessage = { id: "m", role: "assistant", parts, metadata: { runId: "run_1", traceId: "tr_1" } };
  return <MessageView message={message} userName="Mara Klein" isLive isLatest onNextStep={null} />;
}

it("leaves an opened call open when the next one folds it into a line", async () => {
  const { rerender } = render(<Reply folders={["one"]} />);
  fireEvent.click(screen.getByRole("button", { name: /ls/u }));
  rerender(<Reply folders={["one", "two"]} />);
  const line = screen.getByRole("button", { name: /2 tool calls/u });
  expect(line.getAttribute("aria-expanded")).toBe("true");
  expect(await screen.findByText("inside one")).toBeTruthy();
  expect(screen.queryByText("inside two")).toBeNull();
  fireEvent.click(line);
  expect(screen.queryByText("inside one")).toBeNull();
});

it("folds calls that were not opened", () => {
  render(<Reply folders={["one", "two"]} />);
  expect(screen.getByRole("button", { name: /2 tool calls/u }).getAttribute("aria-expanded")).toBe("false");
});

it("shows an opened call as it was left after scrolling it out of sight", async () => {
  render(<Reply folders={["one"]} />);
  fireEvent.click(screen.getByRole("button", { name: /ls/u }));
  cleanup();
  render(<Reply folders={["one"]} />);
  expect(await screen.findByText("inside one")).toBeTruthy();
});

it("shows the picture that a folded call has returned", async () => {
  const seen = (path: string) => [
    {
      type: "dynamic-tool",
      toolCallId: path,
      toolName: "view_image",
      state: "output-available",
      input: { path },
      output: {
        text: `Picture ${path}`,
        display: { kind: "image", path, hash: "0".repeat(64), width: 8, height: 8 },
      },
    },
    { type: "data-tool-meta", id: path, data: { toolCallId: path, startedAtMs: 1, kind: "read", gist: path } },
  ];
  const parts = [...seen("a.png"), ...seen("b.png")] as ChatMessage["parts"];
  const message: ChatMessage = { id: "m", role: "assistant", parts, metadata: { runId: "run_2", traceId: "tr_2" } };
  render(<MessageView message={message} userName="Mara Klein" isLive={false} isLatest onNextStep={null} />);
  fireEvent.click(screen.getByRole("button", { name: /2 tool calls/u }));
  fireEvent.click(screen.getByRole("button", { name: /view_image b\.png/u }));
  const picture = await screen.findByRole("img", { name: "b.png" });
  expect(picture.getAttribute("src")).toBe(`/api/traces/tr_2/images/${"0".repeat(64)}`);
});
