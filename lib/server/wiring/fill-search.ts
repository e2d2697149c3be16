import type { Database } from "@/lib/server/platform/db/database";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { indexMessages, SEARCH_FILL_KEY } from "@/lib/server/platform/db/queries/search/thread-list";
import { deleteSetting, selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";

export const SEARCH_FILL_EVERY_MS = 60_000;

/**
 * Adds the messages that are older than the index of texts to it, a little at a time. How far it came is kept, and once
 * all are there, searches use the index.
 */
export async function fillSearch(database: Database, pace: Pace): Promise<void> {
  let last = await selectSetting(database, SEARCH_FILL_KEY);
  if (last === undefined) return;
  let isWhole = false;
  await inChunks(
    async (limit) => {
      const ids = await indexMessages(database, last ?? "", limit);
      last = ids.at(-1) ?? last ?? "";
      isWhole = ids.length < limit;
      await (isWhole ? deleteSetting(database, SEARCH_FILL_KEY) : upsertSetting(database, SEARCH_FILL_KEY, last));
      return ids.length;
    },
    pace,
    10,
  );
}
