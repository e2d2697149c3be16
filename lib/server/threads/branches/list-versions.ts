import "server-only";
import { RunStatus } from "@/lib/schema/runs/run";
import type { BranchVersions } from "@/lib/schema/threads/thread-requests";
import type { Reader } from "@/lib/schema/users/user";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import { requireReadableThread } from "@/lib/server/threads/thread-row";
import { loadBranchTree } from "./branch-summary";

const MOST_TEXT_CHARS = 200;

/** The versions of the last message on the shown branch that has several, oldest first, each with its replies. */
export async function listVersions(database: Database, threadId: string, viewer: Reader): Promise<BranchVersions> {
  await requireReadableThread(database, threadId, viewer);
  const { leafRunId, isBranched } = await selectThreadEnd(database, threadId);
  if (!isBranched) return { versions: [] };
  const tree = await loadBranchTree(database, threadId);
  const path = tree.pathTo(leafRunId);
  const shown = new Set(path.map(({ id }) => id));
  const found = path.toReversed().flatMap((run) => tree.versionsAt(run) ?? [])[0];
  if (!found) return { versions: [] };
  const rows = await database.run.findMany({
    where: { id: { in: found.flatMap(({ answers }) => answers.map(({ id }) => id)) } },
    select: { id: true, input: true, status: true, steps: true, costUsd: true, model: true, createdAt: true },
  });
  const runs = new Map(rows.map((row) => [row.id, row]));
  return {
    versions: found.map(({ messageId, answers }) => {
      const known = answers.flatMap(({ id, assistantMessageId }) => {
        const row = runs.get(id);
        return row ? [{ ...row, assistantMessageId }] : [];
      });
      return {
        messageId,
        text: textOf(known[0]?.input),
        createdAt: (known[0]?.createdAt ?? new Date(0)).toISOString(),
        isShown: answers.some(({ id }) => shown.has(id)),
        replies: known.map((row) => ({
          messageId: row.assistantMessageId,
          status: RunStatus.parse(row.status),
          steps: row.steps,
          model: row.model,
          costUsd: row.costUsd,
          isShown: shown.has(row.id),
        })),
      };
    }),
  };
}

function textOf(input: string | undefined): string {
  if (input === undefined) return "";
  const asked = RunInput.parse(JSON.parse(input)).messages.findLast(({ role }) => role === "user");
  return (asked?.content ?? "").slice(0, MOST_TEXT_CHARS);
}
