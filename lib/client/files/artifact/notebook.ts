import { z } from "zod";

/** A text is written as one string or as a list of lines. */
const Text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);

const Output = z.discriminatedUnion("output_type", [
  z.object({ output_type: z.literal("stream"), name: z.string().default("stdout"), text: Text }),
  z.object({ output_type: z.enum(["display_data", "execute_result"]), data: z.record(z.string(), z.unknown()) }),
  z.object({
    output_type: z.literal("error"),
    ename: z.string().default(""),
    evalue: z.string().default(""),
    traceback: z.array(z.string()).default([]),
  }),
]);

const Cell = z.object({
  cell_type: z.enum(["markdown", "code", "raw"]),
  source: Text,
  execution_count: z.number().nullish(),
  outputs: z.array(z.unknown()).default([]),
});

const Notebook = z.object({
  cells: z.array(Cell),
  metadata: z
    .object({
      language_info: z.object({ name: z.string() }).optional(),
      kernelspec: z.object({ language: z.string().optional() }).optional(),
    })
    .default({}),
});

export type NotebookOutput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "image"; readonly source: string }
  | { readonly kind: "unknown"; readonly types: string };

export interface NotebookCell {
  readonly kind: "markdown" | "code" | "raw";
  readonly text: string;
  readonly count: number | null;
  readonly outputs: readonly NotebookOutput[];
}

/** The cells of a Jupyter notebook (format 4), and the language of its code; null if it is not one. */
export function readNotebook(
  text: string,
): { readonly cells: readonly NotebookCell[]; readonly language: string } | null {
  const parsed = Notebook.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { cells, metadata } = parsed.data;
  return {
    language: metadata.language_info?.name ?? metadata.kernelspec?.language ?? "python",
    cells: cells.map(({ cell_type: kind, source, execution_count: count, outputs }) => ({
      kind,
      text: source,
      count: count ?? null,
      outputs: outputs.flatMap((output) => toOutput(output) ?? []),
    })),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const ESCAPE = "\u001b";
/** Colours of a terminal. */
const ESCAPES = new RegExp(`${ESCAPE}\\[[\\d;]*[A-Za-z]`, "gu");

function toOutput(given: unknown): NotebookOutput | null {
  const output = Output.safeParse(given).data;
  if (output === undefined) return null;
  if (output.output_type === "stream") return { kind: "text", text: output.text.replaceAll(ESCAPES, "") };
  if (output.output_type === "error") {
    const trace = output.traceback.length > 0 ? output.traceback.join("\n") : `${output.ename}: ${output.evalue}`;
    return { kind: "error", text: trace.replaceAll(ESCAPES, "") };
  }
  return toShown(output.data);
}

function toShown(data: Readonly<Record<string, unknown>>): NotebookOutput | null {
  for (const type of IMAGES) {
    const bytes = Text.safeParse(data[type]).data?.replaceAll(/\s/gu, "");
    if (bytes !== undefined && /^[A-Za-z\d+/=]+$/u.test(bytes))
      return { kind: "image", source: `data:${type};base64,${bytes}` };
  }
  const drawing = Text.safeParse(data["image/svg+xml"]).data;
  if (drawing !== undefined)
    return { kind: "image", source: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}` };
  const text = Text.safeParse(data["text/plain"]).data;
  if (text !== undefined) return { kind: "text", text };
  return { kind: "unknown", types: Object.keys(data).join(", ") };
}
