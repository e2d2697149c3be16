import type { PromptSection } from "@/lib/agent/model";
import type { Database } from "@/lib/server/platform/db/database";

/** The project's part of prompts, after the agent's own text; empty without instructions or outside of projects. */
export async function projectSections(database: Database, projectId: string | null): Promise<PromptSection[]> {
  if (projectId === null) return [];
  const latest = await database.projectInstructions.findFirst({
    where: { projectId, project: { deletedAt: null } },
    orderBy: { number: "desc" },
    select: { text: true, project: { select: { name: true } } },
  });
  if (!latest || latest.text === "") return [];
  const text = `## Project: ${latest.project.name}\n\nThe instructions of the project that this thread is in:\n\n${latest.text}`;
  return [{ name: "project", text }];
}
