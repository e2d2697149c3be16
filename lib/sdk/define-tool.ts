import type { z } from "zod";
import type { RunContext } from "@/lib/agent/run-context";
import { defineTool as defineAgentTool, type Tool, type ToolOutput, type ToolTraits } from "@/lib/agent/tools/tool";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";
import { checkDefinition, toJsonSchema } from "./check-definition";

/** The run that a call belongs to. `signal` aborts when the run is stopped or the tool times out. */
export interface ToolContext extends RunContext {
  readonly call: ToolCall;
}

/** A tool that agents can name in `tools`. */
export interface ToolExtension {
  readonly kind: "tool";
  readonly name: string;
  readonly description: string;
  readonly tool: Tool;
}

/**
 * Defines a tool. `execute` gets arguments that `input` has accepted; the model reads what it returns. Throw to
 * report failure: the model then reads the message, so it should say what to do next.
 */
export function defineTool<Input extends z.ZodType>(definition: {
  readonly name: string;
  /** The tool's description for the model. */
  readonly description: string;
  readonly input: Input;
  /** A call interrupted by a crash is repeated only if it is `readOnly` or `idempotent`. */
  readonly annotations?: ToolAnnotations;
  /** The argument that names a workspace file or folder: permission rules match it as a path. */
  readonly pathArgument?: string;
  /** The approval prompt before a call runs, such as "Send this mail?". */
  readonly question?: string;
  readonly execute: (args: z.output<Input>, context: ToolContext) => string | ToolOutput | Promise<string | ToolOutput>;
}): ToolExtension {
  const { name, description, input, annotations = {}, pathArgument, question, execute } = definition;
  checkDefinition("defineTool", name, { execute });
  toJsonSchema("defineTool", name, input);
  const facts: ToolTraits = { ...(pathArgument ? { pathArgument } : {}), ...(question ? { question } : {}) };
  const tool = defineAgentTool({
    name,
    description,
    input,
    annotations,
    ...facts,
    execute: async (args, { call, signal, context }) => {
      const own = { call: { value: call }, signal: { value: signal } };
      return checkOutput(await execute(args, Object.create(context, own) as ToolContext));
    },
  });
  return { kind: "tool", name, description, tool };
}

function checkOutput(output: unknown): string | ToolOutput {
  if (typeof output === "string") return output;
  if (typeof output === "object" && output !== null && "output" in output && typeof output.output === "string") {
    return output as ToolOutput;
  }
  throw new TypeError("the tool returned neither a text nor {output}: its author has to fix that");
}
