import { expect, it } from "vitest";
import { openItem, stepItem } from "./inbox-choice";

it("opens the first item, then what was chosen, then what took the place of a decided one", () => {
  const ids = ["a", "b", "c"];
  expect(openItem(ids, null)).toBe("a");
  expect(openItem(ids, { id: "b", index: 1 })).toBe("b");
  expect(openItem(["a", "c"], { id: "b", index: 1 })).toBe("c");
  expect(openItem(["a"], { id: "b", index: 1 })).toBe("a");
  expect(openItem([], { id: "b", index: 1 })).toBeNull();
});

it("keeps open what was decided elsewhere, and steps from it to its neighbours", () => {
  const gone = { id: "b", index: 1 };
  expect(openItem(["a", "c"], gone, (id) => id === "b")).toBe("b");
  expect(openItem([], gone, (id) => id === "b")).toBe("b");
  expect(stepItem(["a", "c"], gone, 1)).toEqual({ id: "c", index: 1 });
  expect(stepItem(["a", "c"], gone, -1)).toEqual({ id: "a", index: 0 });
});

it("steps through the items and stops at both ends", () => {
  const ids = ["a", "b"];
  expect(stepItem(ids, null, 1)).toEqual({ id: "b", index: 1 });
  expect(stepItem(ids, { id: "b", index: 1 }, 1)).toEqual({ id: "b", index: 1 });
  expect(stepItem(ids, { id: "a", index: 0 }, -1)).toEqual({ id: "a", index: 0 });
  expect(stepItem([], null, 1)).toBeNull();
});
