import { cleanup, fireEvent, render } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, expect, it } from "vitest";
import { useRowKeys } from "./use-row-keys";

afterEach(cleanup);

function List({ names }: { names: readonly string[] }) {
  const list = useRef<HTMLTableElement>(null);
  useRowKeys(list, { others: { x: () => undefined } });
  return (
    <table ref={list}>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <td>{name === "none" ? null : <button type="button">{name}</button>}</td>
            <td>
              <button type="button">more of {name}</button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const focused = () => document.activeElement?.textContent;
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

it("goes to the first row, then from row to row wherever the focus is in one, and stays at the ends", () => {
  const { getByText } = render(<List names={["a", "b", "c"]} />);
  press("j");
  expect(focused()).toBe("a");
  press("k");
  expect(focused()).toBe("a");
  getByText("more of b").focus();
  press("j");
  expect(focused()).toBe("c");
  press("j");
  expect(focused()).toBe("c");
});

it("does nothing in an empty list", () => {
  render(<List names={[]} />);
  press("j");
  expect(document.activeElement).toBe(document.body);
});
