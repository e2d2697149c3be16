import type { Tool } from "@/lib/agent/tools/tool";
import { AppError } from "@/lib/schema/app-error";
import type { ToolAnnotations, ToolSchema } from "@/lib/schema/tools/tool";
import { executeCommandTool } from "@/lib/tools/files/execute";
import { fileTools } from "@/lib/tools/files/file-tools";
import { NO_WORKSPACE } from "@/lib/tools/files/no-workspace";
import { viewImageTool } from "@/lib/tools/files/view-image";
import { workspaceFiles } from "@/lib/tools/files/workspace-files";
import { createMemoryIndex } from "@/lib/tools/memory/memory-index";
import { memoryTools } from "@/lib/tools/memory/memory-tools";
import { webFetchTool, webSearchTool } from "@/lib/tools/web/web-tools";
import { askUserTool } from "./ask-user";
import { calculateTool } from "./calculate";
import { currentDatetimeTool } from "./current-datetime";
import { delegateTool, findAgentTool } from "./delegate";
import { handoffTool } from "./handoff";
import { messageTool } from "./message";
import { type ScheduleKeeper, scheduleTool } from "./schedule";
import { skillSearchTool } from "./skill-search";
import { NO_SUBAGENTS, taskTools } from "./task";
import { type TeamBoard, teamTasksTool } from "./team-tasks";
import { writeTodosTool } from "./write-todos";

/** The built-in tools that an agent has if its `tools` name them. */
export function builtinTools(): Tool[] {
  return [calculateTool, currentDatetimeTool, askUserTool];
}

/** A built-in tool as shown by `/agents/tools/available` and the editor; `offered` says when an agent has it. */
export interface BuiltinToolInfo extends ToolSchema {
  readonly annotations: ToolAnnotations;
  readonly aliases: readonly string[];
  readonly offered:
    | "always"
    | "named in tools"
    | "named in tools, with a backend"
    | "named in tools, with a web search"
    | "with skills in search mode"
    | "with subagents"
    | "with delegates"
    | "with more than 15 delegates"
    | "with delegates, in the chat"
    | "on a board"
    | "with a backend"
    | "with a backend, to models that see or when named in tools"
    | "with a backend that can run commands";
}

let infos: readonly BuiltinToolInfo[] | null = null;

/**
 * Every built-in tool, whether or not an agent has it. Cached, because every run reads it and the schemas take 2 ms.
 */
export function builtinToolInfos(): readonly BuiltinToolInfo[] {
  infos ??= describeBuiltinTools();
  return infos;
}

function describeBuiltinTools(): BuiltinToolInfo[] {
  return listBuiltinTools().map(([tool, offered]) => {
    const { name, description, parameters, annotations, aliases = [] } = tool;
    return { name, description, parameters, annotations, aliases, offered };
  });
}

const notHere = async (): Promise<never> => {
  throw new AppError("internal", "This tool is only described here.");
};

const NO_SCHEDULES: ScheduleKeeper = { create: notHere, list: notHere, pause: notHere, remove: notHere };

const NO_BOARD: TeamBoard = {
  list: notHere,
  create: notHere,
  edit: notHere,
  remove: notHere,
  reopen: notHere,
  review: notHere,
  ask: notHere,
};

/** The same tools for description only: without a workspace or subagents they can't run. */
export function listBuiltinTools(): [Tool, BuiltinToolInfo["offered"]][] {
  const files = workspaceFiles(NO_WORKSPACE, "/workspace", async () => {});
  const limits = { timeoutMs: 120_000, maxOutputBytes: 200_000 };
  const memory = memoryTools({ files, paths: [], index: createMemoryIndex() });
  const offer = (tools: readonly Tool[], offered: BuiltinToolInfo["offered"]) =>
    tools.map((tool): [Tool, BuiltinToolInfo["offered"]] => [tool, offered]);
  return [
    ...offer([writeTodosTool], "always"),
    ...offer(fileTools(files, limits), "with a backend"),
    ...offer([executeCommandTool(files, limits)], "with a backend that can run commands"),
    ...offer([viewImageTool(files, async () => "")], "with a backend, to models that see or when named in tools"),
    ...offer(builtinTools(), "named in tools"),
    ...offer([scheduleTool(NO_SCHEDULES)], "named in tools"),
    ...offer([messageTool({ chats: [], send: notHere })], "named in tools"),
    ...offer([webFetchTool(notHere)], "named in tools"),
    ...offer([webSearchTool(notHere, null)], "named in tools"),
    ...offer(memory, "named in tools, with a backend"),
    ...offer([skillSearchTool([], 1)], "with skills in search mode"),
    ...offer(
      taskTools(NO_SUBAGENTS, () => null),
      "with subagents",
    ),
    ...offer([delegateTool(NO_SUBAGENTS, () => null)], "with delegates"),
    ...offer([handoffTool({ delegates: [], count: 0, prepare: async () => [] })], "with delegates, in the chat"),
    ...offer([teamTasksTool(NO_BOARD, "lead")], "on a board"),
    ...offer([findAgentTool([])], "with more than 15 delegates"),
  ];
}
