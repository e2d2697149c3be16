import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { dailyNotePath, LONG_TERM_PATH } from "@/lib/agent/workspace/memory-kind";
import { type MemoryFiles, readDocuments } from "./memory-documents";

export function memoryReadTool({ files, paths }: MemoryFiles): Tool {
  return defineTool({
    name: "memory_read",
    kind: "memory",
    description: "Read a document of your memory: the long-term one, a day's note, or the agent's own documents.",
    input: z.object({
      kind: z.enum(["long_term", "daily", "agent"]).describe("Which document."),
      date: z
        .string()
        .regex(/^\d{4}-?\d{2}-?\d{2}$/, "must look like 2026-11-22")
        .optional()
        .describe("Day of a daily note as YYYY-MM-DD; today by default."),
    }),
    annotations: { readOnly: true },
    async execute({ kind, date }, { context }) {
      const wanted = { long_term: [LONG_TERM_PATH], daily: [notePath(date, context.now())], agent: paths }[kind];
      const documents = await readDocuments(files.workspace, wanted);
      if (documents.length === 0) return `Nothing is there yet: ${wanted.join(", ") || "no document is configured"}.`;
      return documents.map(({ text }) => text).join("\n\n---\n\n");
    },
  });
}

function notePath(date: string | undefined, now: number): string {
  if (date === undefined) return dailyNotePath(now);
  const digits = date.replaceAll("-", "");
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
  const timeMs = Date.parse(`${day}T00:00:00Z`);
  // JavaScript turns the 31st of February into the 3rd of March.
  const isDay = !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(day);
  if (!isDay) throw new Error(`There is no day ${date}. Write it as YYYY-MM-DD.`);
  return dailyNotePath(timeMs);
}
