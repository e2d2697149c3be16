import type { Tool } from "@/lib/agent/tools/tool";
import { editFileTool } from "./edit-file";
import { type CommandLimits, executeCommandTool } from "./execute";
import { globTool } from "./glob";
import { grepTool } from "./grep";
import { lsTool } from "./ls";
import { readFileTool } from "./read-file";
import type { WorkspaceFiles } from "./workspace-files";
import { writeFileTool } from "./write-file";

/** The file tools of a workspace: seven, or six if it can't run commands. */
export function fileTools(files: WorkspaceFiles, limits: CommandLimits): Tool[] {
  const tools = [
    lsTool(files),
    readFileTool(files),
    writeFileTool(files),
    editFileTool(files),
    globTool(files),
    grepTool(files),
  ];
  return files.workspace.execute ? [...tools, executeCommandTool(files, limits)] : tools;
}
