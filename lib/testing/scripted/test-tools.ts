import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";

/** Answers `echo <text>`; read-only by default. `runs` collects the texts of calls that were executed. */
export function echoTool(options: { runs?: string[]; name?: string; annotations?: ToolAnnotations } = {}): Tool {
  return defineTool({
    name: options.name ?? "echo",
    description: "Says it again.",
    input: z.object({ text: z.string() }),
    annotations: options.annotations ?? { readOnly: true },
    aliases: ["Echo"],
    argumentAliases: { words: "text" },
    async execute({ text }) {
      options.runs?.push(text);
      return `echo ${text}`;
    },
  });
}

/** A tool with a given behaviour and no arguments. */
export function actionTool(name: string, act: Tool["execute"], annotations: ToolAnnotations = {}): Tool {
  return defineTool({
    name,
    description: name,
    input: z.object({}),
    annotations,
    execute: (args, execution) => act(args, execution),
  });
}
