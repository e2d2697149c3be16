import type { Interrupt } from "@/lib/schema/interrupt";
import { toolGist } from "./tool-gist";

const TITLES: Readonly<Record<string, string>> = {
  execute: "Run this command?",
  edit_file: "Make this edit?",
  write_file: "Write this file?",
  task: "Start this subagent?",
};

/** What a person is asked about a call, as a question. */
export function approvalTitle(tool: string): string {
  return TITLES[tool] ?? `Call ${tool}?`;
}

/** The same in one line, for lists: "execute · npm test", "asks: Which year?". */
export function interruptGist({ kind, tool, args, questions }: Interrupt): string {
  if (kind === "question") return `asks: ${questions?.[0]?.question ?? "a question"}`;
  const gist = toolGist({ name: tool, args });
  return gist === "" ? tool : `${tool} · ${gist}`;
}
