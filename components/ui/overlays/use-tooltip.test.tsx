import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { X } from "lucide-react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IconButton } from "@/components/ui/controls/icon-button";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function pass(ms: number): Promise<void> {
  await act(async () => {
    await import("./loaded-tooltip");
    await vi.advanceTimersByTimeAsync(ms);
  });
}

test("The tooltip opens once the pointer rests on the button, and closes with Escape alone", async () => {
  const onKey = vi.fn();
  document.body.addEventListener("keydown", onKey);
  render(
    <IconButton label="Close panel" shortcut="Esc">
      <X />
    </IconButton>,
  );
  const button = screen.getByRole("button", { name: "Close panel" });
  fireEvent.pointerEnter(button, { pointerType: "mouse" });
  await pass(0);
  fireEvent(button, new Event("pointerenter"));
  expect(screen.queryByRole("tooltip")).toBeNull();
  await pass(600);
  expect(screen.getByRole("tooltip").textContent).toContain("Close panel");
  fireEvent.keyDown(button, { key: "Escape" });
  await pass(0);
  expect(screen.queryByRole("tooltip")).toBeNull();
  expect(onKey).not.toHaveBeenCalled();
  document.body.removeEventListener("keydown", onKey);
});

test("A touch opens no tooltip", async () => {
  render(
    <IconButton label="Close panel">
      <X />
    </IconButton>,
  );
  fireEvent.pointerEnter(screen.getByRole("button"), { pointerType: "touch" });
  await pass(1_000);
  expect(screen.queryByRole("tooltip")).toBeNull();
});

test("The tooltip closes when its button moves away from under it", async () => {
  render(
    <IconButton label="Undo this run">
      <X />
    </IconButton>,
  );
  const button = screen.getByRole("button");
  fireEvent.pointerEnter(button, { pointerType: "mouse" });
  await pass(0);
  fireEvent(button, new Event("pointerenter"));
  await pass(600);
  expect(screen.getByRole("tooltip")).toBeTruthy();
  vi.spyOn(button, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 28, 28, 28));
  await vi.waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
});
