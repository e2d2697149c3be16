import "server-only";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import { replaceInputOfRun, selectRunsInOthersThreads } from "@/lib/server/platform/db/queries/retention/purge";

const ERASED_TEXT = "This message was erased with the account of its author.";
const RUNS_PER_TURN = 20;

/**
 * Replaces what an erased person wrote in threads started by others with a fixed sentence. The replies belong to the
 * thread and stay, as runs without a name. False if there was no time to finish.
 */
export async function eraseMessagesInOthersThreads(database: Database, ownerId: string, pace: Pace): Promise<boolean> {
  const parts = JSON.stringify([{ type: "text", text: ERASED_TEXT }]);
  let afterId = "";
  for (;;) {
    const runs = await selectRunsInOthersThreads(database, ownerId, { afterId, limit: RUNS_PER_TURN });
    for (const run of runs) {
      const input = RunInput.parse(JSON.parse(run.input));
      const messages = input.messages.map((message) =>
        message.role === "user" ? { id: message.id, role: message.role, content: ERASED_TEXT } : message,
      );
      await replaceInputOfRun(database, run, {
        text: ERASED_TEXT,
        parts,
        input: JSON.stringify({ ...input, messages }),
      });
    }
    afterId = runs.at(-1)?.id ?? afterId;
    if (runs.length < RUNS_PER_TURN) return true;
    if (!(await pace.rest(1))) return false;
  }
}
