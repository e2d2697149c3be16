import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { ChooseFilesButton } from "./choose-files-button";

afterEach(cleanup);

const PICTURE = new File(["png"], "wall.png", { type: "image/png" });

function choose(field: HTMLElement, files: readonly File[]): void {
  Object.defineProperty(field, "files", { value: files, configurable: true });
}

function button(onFiles: (files: readonly File[]) => void) {
  return (
    <ChooseFilesButton label="Attach files" fieldLabel="Files to attach" onFiles={onFiles}>
      +
    </ChooseFilesButton>
  );
}

test("a file that was chosen before the page was alive is taken", () => {
  const onFiles = vi.fn();
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(button(onFiles));
  choose(screen.getByLabelText("Files to attach"), [PICTURE]);
  render(button(onFiles), { container, hydrate: true });
  expect(onFiles).toHaveBeenCalledExactlyOnceWith([PICTURE]);
});

test("a field without a file reports none, and each choice once", () => {
  const onFiles = vi.fn();
  render(button(onFiles));
  expect(onFiles).not.toHaveBeenCalled();
  const field = screen.getByLabelText("Files to attach");
  choose(field, [PICTURE]);
  fireEvent.change(field);
  expect(onFiles).toHaveBeenCalledExactlyOnceWith([PICTURE]);
});
