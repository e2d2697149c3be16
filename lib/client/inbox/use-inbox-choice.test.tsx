import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { rowId, useInboxChoice } from "./use-inbox-choice";

afterEach(cleanup);

function Rows({ ids }: { ids: readonly string[] }) {
  const { openId, open } = useInboxChoice(ids, () => false);
  return ids.map((id) => (
    <button key={id} id={rowId(id)} type="button" aria-expanded={id === openId} onClick={() => open(id)}>
      {id}
      {id === openId ? <input aria-label="Answer" /> : null}
    </button>
  ));
}

function show(...ids: string[]) {
  const page = (shown: readonly string[]) => <Rows ids={shown} />;
  const { rerender } = render(page(ids));
  return (...next: string[]) => rerender(page(next));
}

const openRow = () => screen.getByRole("button", { expanded: true }).textContent;

it("keeps open what replaced a decided item, whatever begins to wait behind it", () => {
  const update = show("a", "b", "c");
  act(() => screen.getByText("c").click());
  update("a", "b");
  expect(openRow()).toBe("b");
  update("a", "b", "d");
  expect(openRow()).toBe("b");
});

it("moves the keyboard to the item that is open next when its place was decided, and only then", () => {
  const update = show("a", "b", "c", "d");
  screen.getByRole("textbox", { name: "Answer" }).focus();
  update("b", "c", "d");
  expect(document.activeElement?.id).toBe(rowId("b"));
  screen.getByText("d").focus();
  update("c", "d");
  expect(openRow()).toBe("c");
  expect(document.activeElement?.id).toBe(rowId("d"));
});
