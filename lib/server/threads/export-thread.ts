import "server-only";
import type { ThreadDetail, ThreadExport, TranscriptMessage } from "@/lib/schema/threads/thread";
import { trimOf } from "@/lib/schema/trim-characters";
import type { Reader } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { getThread } from "./get-thread";

const SPEAKERS = { user: "You", assistant: "Agent" } as const;

/** A thread as a file: the same object as in the API, or Markdown for people. */
export async function exportThread(
  services: Services,
  threadId: string,
  viewer: Reader,
  format: "json" | "md",
): Promise<{ text: string; contentType: string; fileName: string }> {
  const branches = format === "json" ? "all" : "chosen";
  const thread = await getThread(services, threadId, viewer, { window: { from: 0 }, branches });
  const name = fileNameOf(thread.title);
  if (format === "json") {
    const { openRuns: _, activeRunId: __, earlierCursor: ___, ...kept } = thread;
    return {
      text: `${JSON.stringify(kept satisfies ThreadExport, null, 2)}\n`,
      contentType: "application/json; charset=utf-8",
      fileName: `${name}.json`,
    };
  }
  return { text: toMarkdown(thread), contentType: "text/markdown; charset=utf-8", fileName: `${name}.md` };
}

const NAME_CHARS = 80;

/** The title as a file name, without characters that file systems reject; "thread" if nothing is left. */
export function fileNameOf(title: string | null): string {
  const shown = (title ?? "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
    .replace(/[/\\:*?"<>|\u0000-\u001f\u007f]+/gu, " ")
    .replace(/\s+/gu, " ")
    .slice(0, NAME_CHARS)
    .toWellFormed();
  const clean = trimOf(shown, /[\s.]/u);
  return clean === "" ? "thread" : clean;
}

/** The transcript as Markdown; tool calls are fenced so that their content isn't parsed as markup. */
export function toMarkdown(
  thread: Pick<ThreadDetail, "title" | "agentName" | "model" | "createdAt" | "messages">,
): string {
  const head = `# ${thread.title ?? "Untitled"}\n\nAgent: ${thread.agentName}  \nModel: ${thread.model ?? "none yet"}  \nStarted: ${thread.createdAt}\n`;
  const blocks = thread.messages.map(
    (message) => `## ${SPEAKERS[message.role]}\n\n${message.parts.map(partToMarkdown).filter(Boolean).join("\n\n")}\n`,
  );
  return [head, ...blocks].join("\n");
}

function partToMarkdown(part: TranscriptMessage["parts"][number]): string {
  if (part.type === "text") return String(part.text ?? "");
  if (part.type === "dynamic-tool") return toolToMarkdown(part);
  if (part.type === "data-notice" || part.type === "data-remark")
    return `> ${String((part.data as { text?: unknown })?.text ?? "")}`;
  if (part.type === "data-compaction") return "> From here on the agent works from a summary of earlier messages.";
  return "";
}

function toolToMarkdown(part: TranscriptMessage["parts"][number]): string {
  const outcome = part.errorText ?? (part.output as { text?: unknown } | undefined)?.text ?? "";
  return `**${String(part.toolName)}**\n\n${fence(JSON.stringify(part.input ?? {}, null, 2))}\n\n${fence(String(outcome))}`;
}

/** A fence longer than any inside the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
