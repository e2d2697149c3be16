import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HeldControls } from "@/lib/client/chat/composer/queue-controls";
import { HeldList } from "./held-list";

afterEach(cleanup);

const MESSAGES = [
  { id: "r2", text: "Then test it" },
  { id: "r3", text: "Open a pull request" },
  { id: "r4", text: "Tell the team", byAnother: true },
] as const;

function controls(own: Partial<HeldControls> = {}) {
  return {
    messages: MESSAGES,
    send: vi.fn(async () => true),
    change: vi.fn(async () => true),
    drop: vi.fn(async () => true),
    keep: vi.fn(),
    focusField: vi.fn(),
    ...own,
  };
}

describe("the held messages above the composer", () => {
  it("sends all, sends one, drops one, and leaves another member's alone", async () => {
    const held = controls();
    render(<HeldList held={held} />);
    expect(screen.getByRole("status").textContent).toBe("Stopped. 3 messages wait.");
    fireEvent.click(screen.getByRole("button", { name: "Send all" }));
    await waitFor(() => expect(held.send).toHaveBeenLastCalledWith());
    fireEvent.click(screen.getByRole("button", { name: "Send “Then test it”" }));
    await waitFor(() => expect(held.send).toHaveBeenLastCalledWith("r2"));
    fireEvent.click(screen.getByRole("button", { name: "Drop “Open a pull request”" }));
    await waitFor(() => expect(held.drop).toHaveBeenLastCalledWith(MESSAGES[1]));
    const foreign = screen.getAllByRole("listitem")[2] as HTMLElement;
    expect(within(foreign).queryAllByRole("button")).toEqual([]);
    expect(foreign.textContent).toContain("Another member’s");
  });

  it("edits a message in place", async () => {
    const held = controls();
    render(<HeldList held={held} />);
    fireEvent.click(screen.getByRole("button", { name: "Edit “Then test it”" }));
    fireEvent.change(screen.getByRole("textbox"), { target: { value: "Then test it twice" } });
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter" });
    await waitFor(() => expect(held.change).toHaveBeenLastCalledWith("r2", "Then test it twice"));
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
  });

  it("moves the focus to the field once the last message has left", async () => {
    const held = controls({ messages: MESSAGES.slice(0, 1) });
    const { rerender } = render(<HeldList held={held} />);
    expect(screen.queryByRole("button", { name: "Send all" })).toBeNull();
    const sent = vi.fn(async () => {
      rerender(<HeldList held={{ ...held, messages: [] }} />);
      return true;
    });
    rerender(<HeldList held={{ ...held, send: sent }} />);
    const send = screen.getByRole("button", { name: "Send “Then test it”" });
    send.focus();
    fireEvent.click(send);
    await waitFor(() => expect(held.focusField).toHaveBeenCalled());
  });
});
