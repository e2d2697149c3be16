import "server-only";
import type { CommandReply } from "@/lib/schema/threads/thread";
import type { Viewer } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { cancelAllRuns, cancelThreadRuns } from "./cancel-viewers-runs";
import { compactThread, type LoadCompaction } from "./compact-thread";

const COMMAND = /^\/(stop|stopall|compact)$/i;

/** What a person typed in a thread. */
interface TypedText {
  readonly threadId: string;
  readonly content: string;
}

/**
 * Handles commands typed instead of a message: `/stop` ends the thread's runs and holds its queue, `/stopall` does so for
 * all of the person's runs, `/compact` summarises the thread. Null if the text is a message. A command is neither stored nor sent to a model.
 */
export async function runCommand(
  services: Services,
  { threadId, content }: TypedText,
  viewer: Viewer,
  loadCompaction: LoadCompaction,
): Promise<CommandReply | null> {
  switch (COMMAND.exec(content.trim())?.[1]?.toLowerCase()) {
    case "stop":
      return { command: "stop", ...(await cancelThreadRuns(services.database, threadId, viewer)) };
    case "stopall":
      return { command: "stopall", ...(await cancelAllRuns(services.database, viewer, "own", true)) };
    case "compact":
      return { command: "compact", compaction: await compactThread(services, threadId, viewer, loadCompaction) };
    default:
      return null;
  }
}
