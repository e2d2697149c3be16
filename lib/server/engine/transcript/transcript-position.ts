import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { selectLastTranscriptPosition } from "@/lib/server/platform/db/queries/messages";
import { selectOpenInputs } from "@/lib/server/platform/db/queries/runs";

/** The next free place of the thread's transcript, after the places that open runs reserve for their replies. */
export async function nextTranscriptPosition(database: Database, threadId: string): Promise<number> {
  const open = await selectOpenInputs(database, threadId);
  // Read after the open runs, so that one that ends in between counts here.
  const last = await selectLastTranscriptPosition(database, threadId);
  const kept = open.map((input) => RunInput.parse(JSON.parse(input)).transcriptPosition);
  return Math.max(last, ...kept) + 1;
}
