import { z } from "zod";
import { modelSettings, type Provider } from "@/lib/schema/provider";
import type { ModelFigures } from "./model-rows";

const Price = z.string().transform((text, context) => {
  const digits = text.replaceAll(/[$,\s]/g, "");
  if (digits === "") return undefined;
  const value = Number(digits);
  if (Number.isFinite(value) && value >= 0) return value;
  context.addIssue("Enter a number, such as 0.80.");
  return undefined;
});

const Typed = z.strictObject({
  contextWindow: Price.pipe(modelSettings.contextWindow.optional()),
  input: Price,
  cachedRead: Price,
  cachedWrite: Price,
  output: Price,
  /** Null leaves an ability to the catalogue. */
  vision: z.boolean().nullable(),
  streaming: z.boolean().nullable(),
});

/** The window, four prices and abilities of a model. Cached classes left empty cost as much as input. */
export const FiguresForm = Typed.superRefine(({ input, cachedRead, cachedWrite, output }, context) => {
  if ([input, cachedRead, cachedWrite, output].every((price) => price === undefined)) return;
  const needed = Object.entries({ input, output }).filter(([, price]) => price === undefined);
  for (const [name] of needed) context.addIssue({ code: "custom", path: [name], message: "A price needs this one." });
}).transform(({ contextWindow, input, cachedRead, cachedWrite, output, vision, streaming }): ModelFigures => {
  const price =
    input === undefined || output === undefined
      ? undefined
      : { input, cachedRead: cachedRead ?? input, cachedWrite: cachedWrite ?? input, output };
  return { contextWindow, price, vision: vision ?? undefined, streaming: streaming ?? undefined };
});
export type TypedFigures = z.input<typeof FiguresForm>;

/** What the installation says so far; the catalogue's facts are shown as placeholders. */
export function typedFigures({ models }: Provider, modelId: string): TypedFigures {
  const own = models.find(({ id }) => id === modelId);
  const text = (value: number | undefined) => (value === undefined ? "" : String(value));
  return {
    contextWindow: text(own?.contextWindow),
    input: text(own?.price?.input),
    cachedRead: text(own?.price?.cachedRead),
    cachedWrite: text(own?.price?.cachedWrite),
    output: text(own?.price?.output),
    vision: own?.vision ?? null,
    streaming: own?.streaming ?? null,
  };
}
