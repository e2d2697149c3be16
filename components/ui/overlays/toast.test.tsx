import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showToast } from "@/lib/client/ui/toast-store";
import { ToastRegion } from "./toast";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const MINUTE_MS = 60_000;

test("toasts stay while one of them has the focus, and leave after that one was closed by key", () => {
  render(<ToastRegion />);
  act(() => void showToast({ title: "One" }));
  act(() => void showToast({ title: "Two" }));
  const close = screen.getAllByRole("button", { name: "Close" })[0] as HTMLElement;
  act(() => close.focus());
  act(() => void vi.advanceTimersByTime(MINUTE_MS));
  expect(screen.getByText("One")).toBeTruthy();
  fireEvent.click(close);
  expect(screen.queryByText("One")).toBeNull();
  expect(screen.getByText("Two")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(MINUTE_MS));
  expect(screen.queryByText("Two")).toBeNull();
});
