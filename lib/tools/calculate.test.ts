import { expect, test } from "vitest";
import { calculateTool } from "./calculate";
import { evaluateExpression } from "./evaluate-expression";

test.each([
  ["2 + 3", 5],
  ["2 + 3 * 4", 14],
  ["(2 + 3) * 4", 20],
  ["10 - 4 - 3", 3],
  ["2 ^ 3 ^ 2", 512],
  ["2 ** 10", 1024],
  ["-2 ^ 2", -4],
  ["2 ^ -1", 0.5],
  ["--3", 3],
  ["7 % 4", 3],
  ["1.5e3 + .5", 1500.5],
  ["sqrt(16) + abs(-2)", 6],
  ["max(1, 7, 3) - min(4, 2)", 5],
  ["round(2.675, 2)", 2.68],
  ["round(1e-7, 2)", 0],
  ["round(0.00000126, 7)", 0.0000013],
  ["round(1e20, 2)", 1e20],
  ["round(1.26e21, -15)", 1.26e21],
  ["log(8, 2)", 3],
  ["log10(1000)", 3],
  ["cos(pi)", -1],
  ["6 ÷ 2 × 3", 9],
  ["  12  ", 12],
])("%s is %d", (expression, value) => {
  expect(evaluateExpression(expression)).toBeCloseTo(value, 12);
});

test.each([
  ["", "the expression is empty"],
  ["1 / 0", "division by zero"],
  ["5 % 0", "division by zero"],
  ["2 +", "the expression ends too early"],
  ["(1 + 2", '")" is missing'],
  ["1 2", 'unexpected "2"'],
  ["2 $ 3", 'unexpected character "$"'],
  ["sqrt(-1)", "the result is not a real number"],
  ["10 ^ 400", "the result is too large"],
  ["foo(1)", "unknown name foo"],
  ["constructor", "unknown name constructor"],
  ["process.exit(1)", 'unexpected character "."'],
  ["sqrt(1, 2)", "sqrt takes 1 number, not 2"],
  [`${"(".repeat(80)}1${")".repeat(80)}`, "levels of nesting"],
  ["1".repeat(1_001), "longer than 1000 characters"],
])("%s is refused with a reason", (expression, reason) => {
  expect(() => evaluateExpression(expression)).toThrow(reason);
});

test.each([
  ["0.1 + 0.2", "0.3"],
  ["2 + 3", "5"],
  ["2 ^ 64", "1.8446744073709552e+19"],
  ["0 * -1", "0"],
  ["1 / 3", "0.333333333333333"],
])("calculate answers %s with %s", async (expression, text) => {
  const execution = { call: { id: "c", name: "calculate", args: {}, rawArgs: "" } } as never;
  expect(await calculateTool.execute({ expression }, execution)).toBe(text);
});
