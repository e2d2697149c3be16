import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useFocusKeeper } from "./use-focus-keeper";

afterEach(cleanup);

function List({ names }: { names: readonly string[] }) {
  const list = useFocusKeeper<HTMLUListElement>();
  return (
    <ul ref={list} tabIndex={-1}>
      {names.map((name) => (
        <li key={name}>
          <button type="button">Delete {name}</button>
        </li>
      ))}
    </ul>
  );
}

it("has the focus when the row that had it is deleted, and leaves it where somebody went in the meantime", async () => {
  const { rerender } = render(<List names={["a", "b", "c"]} />);
  screen.getByRole("button", { name: "Delete a" }).focus();
  rerender(<List names={["b", "c"]} />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("list")));
  screen.getByRole("button", { name: "Delete b" }).focus();
  screen.getByRole("button", { name: "Delete c" }).focus();
  rerender(<List names={["c"]} />);
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Delete c" }));
});
