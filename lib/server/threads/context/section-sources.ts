import "server-only";
import type { NextRequestText } from "@/lib/schema/threads/thread-context";
import type { AgentVersion } from "@/lib/server/engine/agent-version";

type Source = NonNullable<NextRequestText["sections"][number]["sources"]>[number];

/** Fewer lines than this may be alike by chance, unless they are a whole text. */
const MIN_LINES = 3;

/**
 * Which lines of the agent's own texts, its system prompt and its prompt files, a section begins each of its parts with.
 * A text that the prompt cuts counts up to the cut.
 */
export function sectionSources(
  section: string,
  { config, promptFiles }: Pick<AgentVersion, "config" | "promptFiles">,
): Source[] {
  const lines = section.split("\n").map((line) => line.trim());
  const texts = [{ name: "system_prompt", content: config.system_prompt }, ...promptFiles];
  return texts.flatMap(({ name, content }) => {
    const source = content.split("\n").map((line) => line.trim());
    const first = source.findIndex((line) => line !== "");
    if (first === -1) return [];
    const last = source.findLastIndex((line) => line !== "");
    const end = first + longestRun(source.slice(first, last + 1), lines) - 1;
    const isFound = end === last || end - first + 1 >= MIN_LINES;
    return isFound ? [{ name, firstLine: first + 1, lastLine: end + 1 }] : [];
  });
}

/** How many lines of the text, from its first on, stand in the section one after the other. */
function longestRun(text: readonly string[], section: readonly string[]): number {
  let longest = 0;
  for (let start = section.indexOf(text[0] ?? ""); start !== -1; start = section.indexOf(text[0] ?? "", start + 1)) {
    let length = 0;
    while (length < text.length && text[length] === section[start + length]) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}
