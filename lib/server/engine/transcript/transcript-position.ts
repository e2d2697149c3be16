import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";

/** The next free place of the thread's transcript, after the places that open runs reserve for their replies. */
export async function nextTranscriptPosition(database: Database, threadId: string): Promise<number> {
  const open = await database.raw<{ input: string }>(
    `select "input" from "run" where "threadId" = $1 and "status" in ('queued', 'running', 'waiting')`,
    [threadId],
  );
  // Read after the open runs, so that one that ends in between counts here.
  const [last] = await database.raw<{ position: number | null }>(
    `select max("position") as "position" from "transcript_message" where "threadId" = $1`,
    [threadId],
  );
  const kept = open.map(({ input }) => RunInput.parse(JSON.parse(input)).transcriptPosition);
  return Math.max(last?.position ?? 0, ...kept) + 1;
}
