import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Dialog } from "./dialog";

afterEach(cleanup);

function open(stays: boolean) {
  const onClose = vi.fn();
  render(
    <Dialog title="Copy the key now" isOpen stays={stays} onClose={onClose}>
      rm_secret
    </Dialog>,
  );
  return { onClose, pressEscape: () => fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" }) };
}

test("Escape closes a dialog", () => {
  const { onClose, pressEscape } = open(false);
  pressEscape();
  expect(onClose).toHaveBeenCalledOnce();
});

test("closes what can't be seen again by a button only", () => {
  const { onClose, pressEscape } = open(true);
  pressEscape();
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalledOnce();
});
