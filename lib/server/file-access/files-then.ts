import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { FilesThen } from "@/lib/schema/files/workspace-file";
import type { Reader } from "@/lib/schema/users/user";
import { selectVersionsThen } from "@/lib/server/platform/db/queries/workspaces/file-versions";
import type { Services } from "@/lib/server/platform/services";
import { openThreadFiles } from "./user-files";

const MAX_LISTED = 2_000;

/**
 * The files that the thread works on, as they were when the run of this message ended: every file with versions,
 * whichever sharing thread wrote them. Throws `not_found`.
 */
export async function listFilesThen(
  services: Services,
  threadId: string,
  messageId: string,
  viewer: Reader,
): Promise<FilesThen> {
  const { workspaceId } = await openThreadFiles(services, threadId, viewer);
  const message = await services.database.transcriptMessage.findFirst({
    where: { id: messageId, threadId },
    select: { runId: true },
  });
  const run =
    message && (await services.database.run.findUnique({ where: { id: message.runId }, select: { endedAt: true } }));
  if (!run) throw new AppError("not_found", "No run of this thread has read this message.");
  const found = await selectVersionsThen(services.database, workspaceId, {
    at: run.endedAt ?? new Date(),
    limit: MAX_LISTED + 1,
  });
  return {
    at: run.endedAt?.toISOString() ?? null,
    files: found.slice(0, MAX_LISTED).map(({ lastVersion, isGone, ...file }) => ({
      ...file,
      since: lastVersion === file.version ? "same" : isGone ? "deleted" : "changed",
    })),
    isCut: found.length > MAX_LISTED,
  };
}
