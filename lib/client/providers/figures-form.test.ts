import { expect, test } from "vitest";
import { FiguresForm } from "./figures-form";

const NOTHING = {
  ...{ contextWindow: "", input: "", cachedRead: "", cachedWrite: "", output: "" },
  ...{ vision: null, streaming: null },
};

test("cached classes cost what input costs unless they are named", () => {
  const { price } = FiguresForm.parse({ ...NOTHING, input: "$0.80", output: "4" });
  expect(price).toEqual({ input: 0.8, cachedRead: 0.8, cachedWrite: 0.8, output: 4 });
  expect(FiguresForm.parse(NOTHING)).toEqual({ contextWindow: undefined, price: undefined });
});

test.each([
  [{ contextWindow: "12" }, ["contextWindow"]],
  [{ contextWindow: "2000.5", input: "x" }, ["contextWindow", "input"]],
  [{ cachedRead: "-1", cachedWrite: "1" }, ["cachedRead"]],
  [{ cachedWrite: "1" }, ["input", "output"]],
  [{ input: "1" }, ["output"]],
])("%j has problems at %j", (typed, fields) => {
  const { error } = FiguresForm.safeParse({ ...NOTHING, ...typed });
  expect(error?.issues.map(({ path }) => path.join(".")).toSorted()).toEqual(fields);
});
