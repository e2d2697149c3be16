import { ToolDisplay } from "@/lib/schema/tool-display";
import { type FileData, ToolPartOutput } from "@/lib/schema/ui-message";
import type { ChatMessage } from "./chat-message";

/** What a thread has done to one file: the sum of its changes, and the last patch if it is known. */
export interface ChangedFile {
  readonly path: string;
  readonly operation: "created" | "changed" | "deleted";
  readonly version: number;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly lastPatch: string | null;
}

/** The files that the thread's tools changed, in order of their first change. */
export function changedFiles(messages: readonly ChatMessage[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const message of messages) {
    const patches = patchesOf(message);
    for (const part of message.parts) {
      if (part.type === "data-file")
        files.set(part.data.path, addChange(files.get(part.data.path), part.data, patches));
    }
  }
  return [...files.values()];
}

function addChange(
  before: ChangedFile | undefined,
  { toolCallId, ...change }: FileData,
  patches: ReadonlyMap<string, string>,
): ChangedFile {
  const isStillNew = before?.operation === "created" && change.operation === "changed";
  return {
    ...change,
    operation: isStillNew ? "created" : change.operation,
    addedLines: change.addedLines + (before?.addedLines ?? 0),
    removedLines: change.removedLines + (before?.removedLines ?? 0),
    lastPatch: patches.get(toolCallId ?? "") ?? null,
  };
}

function patchesOf(message: ChatMessage): Map<string, string> {
  const patches = new Map<string, string>();
  for (const part of message.parts) {
    if (part.type !== "dynamic-tool" || part.state !== "output-available") continue;
    const output = ToolPartOutput.safeParse(part.output);
    const display = ToolDisplay.safeParse(output.success ? output.data.display : undefined);
    if (display.success && display.data.kind === "file-change" && display.data.patch !== null) {
      patches.set(part.toolCallId, display.data.patch);
    }
  }
  return patches;
}
