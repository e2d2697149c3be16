import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ScrollArea } from "@/components/ui/scroll-area";
import { type Shortcuts, useShortcuts } from "./use-shortcuts";

afterEach(cleanup);

function Page({ shortcuts }: { shortcuts: Shortcuts }) {
  useShortcuts(shortcuts);
  return (
    <>
      <input aria-label="Field" />
      <button type="button">Row</button>
      <ScrollArea label="Output">A long text</ScrollArea>
    </>
  );
}

it("leaves plain keys to fields, and takes them everywhere else", () => {
  const e = vi.fn();
  render(<Page shortcuts={{ e }} />);
  fireEvent.keyDown(screen.getByRole("textbox"), { key: "e" });
  expect(e).not.toHaveBeenCalled();
  for (const target of [document.body, screen.getByRole("button"), screen.getByRole("group")]) {
    fireEvent.keyDown(target, { key: "e" });
  }
  expect(e).toHaveBeenCalledTimes(3);
});

it("leaves the arrows to a box that scrolls with them", () => {
  const ArrowDown = vi.fn();
  render(<Page shortcuts={{ ArrowDown }} />);
  expect(fireEvent.keyDown(screen.getByRole("group", { name: "Output" }), { key: "ArrowDown" })).toBe(true);
  expect(ArrowDown).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByRole("button"), { key: "ArrowDown" });
  expect(ArrowDown).toHaveBeenCalledOnce();
});

it("takes a letter with Alt in a field too, whatever character the layout makes of it", () => {
  const allow = vi.fn();
  render(<Page shortcuts={{ "alt+y": allow }} />);
  const field = screen.getByRole("textbox");
  fireEvent.keyDown(field, { key: "y", code: "KeyY", altKey: true });
  fireEvent.keyDown(field, { key: "¥", code: "KeyY", altKey: true });
  expect(allow).toHaveBeenCalledTimes(2);
  fireEvent.keyDown(field, { key: "y", code: "KeyY" });
  fireEvent.keyDown(field, { key: "y", code: "KeyY", altKey: true, ctrlKey: true });
  expect(allow).toHaveBeenCalledTimes(2);
});
