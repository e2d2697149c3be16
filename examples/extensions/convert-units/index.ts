import { defineTool, z } from "ringmaster";

/** How many of the base unit one unit is: metres, and kilograms. */
const UNITS: Readonly<Record<string, { readonly of: "length" | "mass"; readonly factor: number }>> = {
  mm: { of: "length", factor: 0.001 },
  cm: { of: "length", factor: 0.01 },
  m: { of: "length", factor: 1 },
  km: { of: "length", factor: 1_000 },
  inch: { of: "length", factor: 0.0254 },
  foot: { of: "length", factor: 0.3048 },
  mile: { of: "length", factor: 1_609.344 },
  g: { of: "mass", factor: 0.001 },
  kg: { of: "mass", factor: 1 },
  ounce: { of: "mass", factor: 0.028349523125 },
  pound: { of: "mass", factor: 0.45359237 },
};
const NAMES = Object.keys(UNITS).join(", ");

/** A tool: the model calls it with checked arguments and reads what it returns. */
export default defineTool({
  name: "convert_units",
  description: `Converts a length or a mass. Units: ${NAMES}.`,
  input: z.object({
    value: z.number().describe("How many of the unit `from`."),
    from: z.string(),
    to: z.string(),
  }),
  annotations: { readOnly: true },
  execute({ value, from, to }) {
    const source = UNITS[from];
    const target = UNITS[to];
    if (!source || !target) throw new Error(`Unknown unit ${source ? to : from}. Use one of: ${NAMES}.`);
    if (source.of !== target.of)
      throw new Error(`${from} is a ${source.of} and ${to} a ${target.of}. Convert one kind.`);
    return `${value} ${from} = ${Number(((value * source.factor) / target.factor).toPrecision(10))} ${to}`;
  },
});
