import { fireEvent, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { expect, test, vi } from "vitest";
import { PressButton } from "./press-button";

test("A press is the button's own: neither its click nor its key reaches the row around it", () => {
  const onRowClick = vi.fn();
  const onRowKey = vi.fn();
  const onPress = vi.fn();
  render(
    createElement(
      "div",
      { onClick: onRowClick, onKeyDown: onRowKey },
      <PressButton onPress={onPress}>Delete</PressButton>,
    ),
  );
  const button = screen.getByRole("button", { name: "Delete" });
  fireEvent.click(button);
  fireEvent.keyDown(button, { key: "Enter" });
  fireEvent.keyDown(button, { key: " " });
  expect(onPress).toHaveBeenCalledTimes(1);
  expect(onRowClick).not.toHaveBeenCalled();
  expect(onRowKey).not.toHaveBeenCalled();
  fireEvent.keyDown(button, { key: "ArrowDown" });
  expect(onRowKey).toHaveBeenCalledTimes(1);
});

test("While it is pending it keeps its place in the order of focus, and neither acts nor submits", () => {
  const onPress = vi.fn();
  const onSubmit = vi.fn();
  render(
    <form onSubmit={onSubmit}>
      <PressButton type="submit" isPending onPress={onPress}>
        Save
      </PressButton>
    </form>,
  );
  const button = screen.getByRole("button", { name: "Save" });
  fireEvent.click(button);
  expect(onPress).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
  button.focus();
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute("aria-disabled")).toBe("true");
});

test("A key that is held presses once", () => {
  render(<PressButton>Next</PressButton>);
  const button = screen.getByRole("button", { name: "Next" });
  expect(fireEvent.keyDown(button, { key: "Enter" })).toBe(true);
  expect(fireEvent.keyDown(button, { key: "Enter", repeat: true })).toBe(false);
});

test("A click focuses it, also where the browser would not", () => {
  render(<PressButton>Open</PressButton>);
  const button = screen.getByRole("button", { name: "Open" });
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
});
