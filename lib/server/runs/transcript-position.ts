import type { Database } from "../db";
import { RunInput } from "./run-input";

/** The next free place of the thread's transcript, behind the places that open runs keep for their replies. */
export async function nextTranscriptPosition(database: Database, threadId: string): Promise<number> {
  const open = await database.run.findMany({
    where: { threadId, status: { in: ["queued", "running", "waiting"] } },
    select: { input: true },
  });
  // After the open runs: one that ends in between then counts here.
  const last = await database.transcriptMessage.findFirst({
    where: { threadId },
    orderBy: { position: "desc" },
    select: { position: true },
  });
  const kept = open.map(({ input }) => RunInput.parse(JSON.parse(input)).transcriptPosition);
  return Math.max(last?.position ?? 0, ...kept) + 1;
}
