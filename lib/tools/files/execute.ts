import { z } from "zod";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import type { WorkspaceFiles } from "./workspace-files";

/** `timeoutMs` is the default and the maximum that a call may request. */
export interface CommandLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

export function executeCommandTool(files: WorkspaceFiles, limits: CommandLimits): Tool {
  return defineTool({
    name: "execute",
    kind: "command",
    question: "Run this command?",
    description: "Run a shell command in the workspace and get its output and exit code.",
    input: z.object({
      command: z.string().min(1).describe("Shell command, run in the workspace root."),
      timeout_ms: z.number().int().min(1).optional().describe(`Time limit in ms, at most ${limits.timeoutMs}.`),
    }),
    annotations: { destructive: true, openWorld: true },
    aliases: ["Bash"],
    ownTimeLimit: true,
    async execute({ command, timeout_ms: askedMs }, execution) {
      const { signal } = execution;
      const { workspace } = files;
      if (!workspace.execute) throw new WorkspaceError("failed", "This workspace can't run commands.");
      if (command.includes("\0")) throw new WorkspaceError("failed", "The command has a NUL character.");
      const timeoutMs = Math.min(askedMs ?? limits.timeoutMs, limits.timeoutMs);
      // The machine's clock, which also sets the file times that this is compared with.
      const sinceMs = Date.now();
      const result = await workspace.execute(command, { timeoutMs, maxOutputBytes: limits.maxOutputBytes, signal });
      await files.ranCommand?.(sinceMs, execution);
      const ended = {
        ...(result.stopped && { stopped: result.stopped }),
        ...(result.notice && { notice: result.notice }),
      };
      const output = cleanText(result.output);
      const { exitCode, truncated, durationMs } = result;
      const display: ToolDisplay = { kind: "command", command, exitCode, output, truncated, durationMs, ...ended };
      const forModel = { exit_code: exitCode, output, truncated, duration_ms: durationMs, ...ended };
      return { output: JSON.stringify(forModel), display };
    },
  });
}
