import type { Database } from "@/lib/server/platform/db/database";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { countUnfolded } from "./fold-texts";
import { countUnmasked, maskTexts } from "./mask-texts";
import { countPending, indexPending } from "./text-index";

/** In texts; later chunks are sized by the time one takes. */
const FIRST_CHUNK = 10;

/** Whether there are texts that searches can't find yet, or not in every spelling. */
export async function hasUnprepared(database: Database): Promise<boolean> {
  return (
    (await countPending(database, 1)) + (await countUnfolded(database, 1)) + (await countUnmasked(database, 1)) > 0
  );
}

/**
 * Folds, indexes and masks texts for searches until none is left. Every chunk does some of each: after a change to the
 * masking rules all texts have to be masked, and new messages must not have to wait for that to be found.
 */
export async function prepareTexts(database: Database, pace: Pace): Promise<void> {
  await inChunks(
    async (limit) => Math.max(await indexPending(database, limit), await maskTexts(database, limit)),
    pace,
    FIRST_CHUNK,
  );
}
