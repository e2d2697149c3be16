import { expect, test } from "vitest";
import { problemText } from "./draw-diagram";

test("a kind of diagram that is not drawn is named, with those that are", () => {
  const problem = "No diagram type detected matching given configuration for text: mindmap\n  root((Cats))";
  expect(problemText(problem)).toMatch(
    /^"mindmap" is not among the kinds .* drawn here: flowchart, .* and treemap\.$/u,
  );
  expect(problemText("No diagram type detected matching given configuration for text: ")).toMatch(/^It names no kind/u);
});

test("other problems keep their first line", () => {
  expect(problemText("Parse error on line 4:\n---^")).toBe("Parse error on line 4:");
});
