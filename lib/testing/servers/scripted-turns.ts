import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";

/** For each message of a user, what the model answers step by step; after that, and to other messages, it says "done". */
export type ScriptedTurns = Readonly<Record<string, readonly ScriptedAnswer[]>>;

/** The script of a provider whose answers go by the last user message. */
export function scriptedTurns(turns: ScriptedTurns) {
  return ({ messages = [] }: ChatRequestBody): ScriptedAnswer => {
    const index = messages.findLastIndex(({ role }) => role === "user");
    const step = messages.slice(index + 1).filter(({ role }) => role === "assistant").length;
    return turns[textOf(messages[index]?.content)]?.[step] ?? { text: "done" };
  };
}

/** Parts of a message that are not text are left out. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text = "" }: { text?: string }) => text).join("") : "";
}

export const writeCall = (path: string) => ({ name: "write_file", args: { path, content: "hello" } });

/** An answer that writes these files at once. */
export const writes = (...paths: readonly string[]): ScriptedAnswer => ({ calls: paths.map(writeCall) });
