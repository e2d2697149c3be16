import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { QueueControls } from "@/lib/client/chat/composer/queue-controls";
import { ComposerHarness } from "@/lib/testing/react/composer-harness";
import { QueuedList } from "./queued-list";
import { SendMode } from "./send-mode";

afterEach(cleanup);

const MESSAGES = [
  { id: "r2", text: "Use node 22", steers: true },
  { id: "r3", text: "Then test it" },
  { id: "r4", text: "Open a pull request" },
] as const;

function controls(own: Partial<QueueControls> = {}) {
  return {
    messages: MESSAGES,
    isSteerable: true,
    change: vi.fn(async () => true),
    remove: vi.fn(async () => true),
    keep: vi.fn(),
    focusField: vi.fn(),
    ...own,
  };
}

const rows = () => screen.getAllByRole("listitem");

describe("the queue above the composer", () => {
  it("says what is read when, steers first", () => {
    render(<QueuedList queue={controls()} />);
    expect(rows().map((row) => row.textContent)).toEqual([
      "SteerUse node 22at the next model callQueue",
      "Next 1Then test itwhen this run endsSteer",
      "Next 2Open a pull requestafter thatSteer",
    ]);
  });

  it("moves a message by Alt and the arrows, by dragging, and never past the ends", () => {
    const queue = controls();
    render(<QueuedList queue={queue} />);
    const grip = screen.getByRole("button", { name: "Move “Open a pull request”" });
    fireEvent.keyDown(grip, { key: "ArrowDown", altKey: true });
    expect(queue.change).not.toHaveBeenCalled();
    fireEvent.keyDown(grip, { key: "ArrowUp", altKey: true });
    expect(queue.change).toHaveBeenLastCalledWith("r4", { position: 2 });
    fireEvent.dragStart(screen.getByRole("button", { name: "Move “Then test it”" }), {
      dataTransfer: { setData: () => undefined },
    });
    fireEvent.drop(rows()[2] as HTMLElement);
    expect(queue.change).toHaveBeenLastCalledWith("r3", { position: 3 });
  });

  it("edits a message in place, and keeps the words when the server refuses", async () => {
    const change = vi.fn(async () => false);
    render(<QueuedList queue={controls({ change })} />);
    fireEvent.click(within(rows()[1] as HTMLElement).getByRole("button", { name: "Edit queued message" }));
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit queued message" });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: "Then test it twice" } });
    fireEvent.keyDown(field, { key: "Enter" });
    expect(change).toHaveBeenCalledExactlyOnceWith("r3", { content: "Then test it twice" });
    await change.mock.results[0]?.value;
    expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("Then test it twice");
    change.mockResolvedValueOnce(true);
    fireEvent.click(await screen.findByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
  });

  it("hands over what was typed when the message goes before it is saved, and not what was given up", () => {
    const queue = controls();
    const { rerender } = render(<QueuedList queue={queue} />);
    const edit = (row: number, value: string) => {
      fireEvent.click(within(rows()[row] as HTMLElement).getByRole("button", { name: "Edit queued message" }));
      const field = screen.getByRole("textbox", { name: "Edit queued message" });
      fireEvent.change(field, { target: { value } });
      return field;
    };
    fireEvent.keyDown(edit(1, "Given up"), { key: "Escape" });
    edit(1, "Then test it");
    rerender(<QueuedList queue={{ ...queue, messages: [MESSAGES[2]] }} />);
    expect(queue.keep).not.toHaveBeenCalled();
    edit(0, "Open an issue");
    rerender(<QueuedList queue={{ ...queue, messages: [] }} />);
    expect(queue.keep).toHaveBeenCalledExactlyOnceWith("Open an issue");
  });

  it("hands over words that the server refuses after the message has gone", async () => {
    const stored = Promise.withResolvers<boolean>();
    const queue = controls({ change: () => stored.promise });
    const { rerender } = render(<QueuedList queue={queue} />);
    fireEvent.click(within(rows()[1] as HTMLElement).getByRole("button", { name: "Edit queued message" }));
    const field = screen.getByRole("textbox", { name: "Edit queued message" });
    fireEvent.change(field, { target: { value: "Then test it twice" } });
    fireEvent.keyDown(field, { key: "Enter" });
    rerender(<QueuedList queue={{ ...queue, messages: [] }} />);
    expect(queue.keep).not.toHaveBeenCalled();
    stored.resolve(false);
    await waitFor(() => expect(queue.keep).toHaveBeenCalledExactlyOnceWith("Then test it twice"));
  });

  it("keeps the field open, and takes no more words, until the server has stored the edit", async () => {
    const stored = Promise.withResolvers<boolean>();
    const change = vi.fn(() => stored.promise);
    render(<QueuedList queue={controls({ change })} />);
    fireEvent.click(within(rows()[1] as HTMLElement).getByRole("button", { name: "Edit queued message" }));
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit queued message" });
    fireEvent.change(field, { target: { value: "Then test it twice" } });
    fireEvent.keyDown(field, { key: "Enter" });
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Saving…" }).disabled).toBe(true);
    expect(field.readOnly).toBe(true);
    fireEvent.keyDown(field, { key: "Enter" });
    expect(change).toHaveBeenCalledOnce();
    stored.resolve(true);
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
  });

  it("offers no change of a message that the server has not accepted yet", () => {
    render(<QueuedList queue={controls({ messages: [{ id: "key", text: "On its way", isSending: true }] })} />);
    const [row] = rows();
    expect(row?.getAttribute("aria-busy")).toBe("true");
    expect(within(row as HTMLElement).queryByRole("button", { name: "Edit queued message" })).toBeNull();
  });

  it("leaves the editing by Escape without a word to the server", () => {
    const queue = controls();
    render(<QueuedList queue={queue} />);
    fireEvent.click(within(rows()[1] as HTMLElement).getByRole("button", { name: "Edit queued message" }));
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Escape" });
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(queue.change).not.toHaveBeenCalled();
  });

  it("makes a queued message a steer, and removes one", async () => {
    const queue = controls();
    render(<QueuedList queue={queue} />);
    fireEvent.click(within(rows()[1] as HTMLElement).getByRole("button", { name: "Steer" }));
    expect(queue.change).toHaveBeenCalledExactlyOnceWith("r3", { mode: "steer" });
    fireEvent.click(within(rows()[2] as HTMLElement).getByRole("button", { name: "Remove queued message" }));
    expect(queue.remove).toHaveBeenCalledExactlyOnceWith(MESSAGES[2], 3);
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("button", { name: "Move “Use node 22”" })),
    );
  });
});

describe("Queue or Steer", () => {
  it("is switched by Ctrl or ⌘ with Shift S", () => {
    const onMode = vi.fn();
    const { rerender } = render(<SendMode mode="queue" onMode={onMode} />);
    fireEvent.keyDown(document, { key: "S", ctrlKey: true, shiftKey: true });
    expect(onMode).toHaveBeenLastCalledWith("steer");
    rerender(<SendMode mode="steer" onMode={onMode} />);
    fireEvent.keyDown(document, { key: "S", metaKey: true, shiftKey: true });
    expect(onMode).toHaveBeenLastCalledWith("queue");
    fireEvent.keyDown(document, { key: "s", ctrlKey: true });
    expect(onMode).toHaveBeenCalledTimes(2);
  });

  it("says when a steer is read, only during a run", () => {
    const sendMode = { mode: "steer", onMode: () => undefined, agentName: "coder" } as const;
    const { rerender } = render(<ComposerHarness isRunning sendMode={sendMode} />);
    expect(screen.getByText("coder reads it before its next step. What runs now is not cut off.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Steer message" })).toBeTruthy();
    rerender(<ComposerHarness isWaiting sendMode={sendMode} />);
    expect(screen.getByText("coder reads it once the request above is decided. Nothing is denied.")).toBeTruthy();
    rerender(<ComposerHarness sendMode={sendMode} />);
    expect(screen.queryByText(/before its next step/u)).toBeNull();
    expect(screen.getByRole("button", { name: "Send message" })).toBeTruthy();
  });
});
