import "server-only";
import type { NextRequestText } from "@/lib/schema/threads/thread-context";
import { type AgentVersion, loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";

type Section = NextRequestText["sections"][number];

/** Which lines of a text of the agent its version has added, counted from 1. */
export type NewLines = (text: string) => Pick<Section, "newLines" | "newIn">;

export const NOTHING_NEW: NewLines = () => ({});

/**
 * What a version added to the agent's own prompt texts, line by line, compared with the one before it. Lines that no
 * text of the version has, such as the time, are not told apart. Nothing for a draft and for the first version.
 */
export async function newLinesOf(database: Database, { agentId, number, ...version }: AgentVersion): Promise<NewLines> {
  if (number === null) return NOTHING_NEW;
  const row = await database.agentVersion.findFirst({
    where: { agentId, number: { lt: number } },
    orderBy: { number: "desc" },
    select: { id: true },
  });
  if (row === null) return NOTHING_NEW;
  const earlier = linesOf(await loadAgentVersion(database, row.id));
  const added = new Set([...linesOf(version)].filter((line) => !earlier.has(line)));
  if (added.size === 0) return NOTHING_NEW;
  return (text) => {
    const newLines = text.split("\n").flatMap((line, index) => (added.has(line.trim()) ? [index + 1] : []));
    return newLines.length === 0 ? {} : { newLines, newIn: number };
  };
}

function linesOf({ config, promptFiles }: Pick<AgentVersion, "config" | "promptFiles">): Set<string> {
  const texts = [config.system_prompt, ...promptFiles.map(({ content }) => content)];
  return new Set(texts.flatMap((text) => text.split("\n").map((line) => line.trim())).filter((line) => line !== ""));
}
