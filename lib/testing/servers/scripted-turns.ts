import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";

/** The model's answers to each user message, step by step; after that, and for other messages, it says "done". */
export type ScriptedTurns = Readonly<Record<string, readonly ScriptedAnswer[]>>;

/** The script of a provider that answers according to the last user message. */
export function scriptedTurns(turns: ScriptedTurns) {
  return ({ messages = [] }: ChatRequestBody): ScriptedAnswer => {
    const index = messages.findLastIndex(({ role }) => role === "user");
    const step = messages.slice(index + 1).filter(({ role }) => role === "assistant").length;
    return turns[textOf(messages[index]?.content)]?.[step] ?? { text: "done" };
  };
}

/** Ignores the non-text parts of a message. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text = "" }: { text?: string }) => text).join("") : "";
}

export const writeCall = (path: string) => ({ name: "write_file", args: { path, content: "hello" } });

/** An answer that writes these files in parallel. */
export const writes = (...paths: readonly string[]): ScriptedAnswer => ({ calls: paths.map(writeCall) });
