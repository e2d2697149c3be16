import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { evaluateExpression } from "./evaluate-expression";

export const calculateTool: Tool = defineTool({
  name: "calculate",
  kind: "read",
  description:
    "Calculate an arithmetic expression: + - * / % ^ and parentheses, functions such as sqrt, abs, round, min, max, sin, cos, ln, log10, log(value, base), constants pi and e. Angles are in radians.",
  input: z.object({ expression: z.string().describe("The expression, such as (2 + 3) * sqrt(16).") }),
  annotations: { readOnly: true },
  execute: async ({ expression }) => formatNumber(evaluateExpression(expression)),
});

/** Fifteen digits, so that 0.1 + 0.2 is 0.3; beyond exact integers the exponent shows that digits are missing. */
function formatNumber(value: number): string {
  if (Object.is(value, -0)) return "0";
  if (Number.isSafeInteger(value)) return String(value);
  if (Number.isInteger(value)) return value.toExponential();
  return String(Number(value.toPrecision(15)));
}
