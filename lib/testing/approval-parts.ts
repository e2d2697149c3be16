import { appendFileSync } from "node:fs";
import { z } from "zod";
import type { ModelPort } from "@/lib/agent/model";
import { defineTool } from "@/lib/agent/tool";
import { permissionsHook } from "@/lib/hooks/permissions";
import { PermissionsConfig } from "@/lib/schema/agent-config-rules";
import { NO_USAGE } from "@/lib/schema/usage";

/** A tool `send` that leaves a line in the file. */
export function sendTool(effectsFile: string, afterEffect: () => void = () => undefined) {
  return defineTool({
    name: "send",
    description: "Sends a mail.",
    input: z.object({ to: z.string() }),
    async execute({ to }, { context }) {
      appendFileSync(effectsFile, `${context.runId} ${to}\n`);
      afterEffect();
      return `sent to ${to}`;
    },
  });
}

/** A model that calls `send` once and then answers; the rules ask before `send`. */
export function approvalParts(effectsFile: string, afterEffect: () => void) {
  const send = sendTool(effectsFile, afterEffect);
  const model: ModelPort = {
    name: "scripted:approval",
    async call({ messages }) {
      const isFirst = messages.every(({ role }) => role !== "assistant");
      const args = { to: "ada" };
      return {
        content: isFirst ? "" : "Done.",
        reasoning: [],
        toolCalls: isFirst ? [{ id: "call_1", name: "send", args, rawArgs: JSON.stringify(args) }] : [],
        finishReason: isFirst ? "tool-calls" : "stop",
        usage: NO_USAGE,
        model: "scripted:approval",
        timeToFirstTokenMs: null,
      };
    },
  };
  const permissions = PermissionsConfig.parse({ enabled: true });
  return { model, tools: [send], hooks: [permissionsHook({ permissions, workdir: "/workspace" })] };
}
