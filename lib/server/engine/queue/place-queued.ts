import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { guardInput, logFinding } from "@/lib/server/engine/guard-input";
import { notifyMembers } from "@/lib/server/engine/log/notify-members";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { isRaceLost } from "@/lib/server/platform/db/errors";
import { placeQueuedStatement } from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { selectLastTranscriptPosition } from "@/lib/server/platform/db/queries/messages";
import { atOnce, retry } from "@/lib/server/platform/retry";
import type { InputFinding } from "@/lib/text/scan/scan-input";
import { sentStatements } from "./sent-statements";

interface PlacedRun {
  readonly run: ClaimedRun;
  /** Why the run does not begin: the guard blocks the edited message. */
  readonly refusal: unknown;
}

const MAX_RETRIES = 4;

/**
 * Places a queued message as it begins: scans its current text and gives it its position in the transcript, behind
 * everything that came before it (D-89).
 */
export async function placeQueued(database: Database, run: ClaimedRun, version: AgentVersion): Promise<PlacedRun> {
  const { id: runId, threadId, ownerId } = run;
  const input = RunInput.parse(JSON.parse(run.input));
  const messages = input.messages.flatMap(({ role, content }) =>
    role === "user" || role === "system" ? [{ role, content }] : [],
  );
  const guarded = { ownerId, version, messages };
  let refusal: unknown = null;
  const finding = await guardInput(database, guarded).catch((error: unknown): InputFinding | null => {
    refusal = error;
    return null;
  });
  const place = async () => {
    const position = (await selectLastTranscriptPosition(database, threadId)) + 1;
    const sent = sentStatements(input.messages, { threadId, runId, position, createdAt: new Date() });
    const placed: RunInput = {
      ...input,
      transcriptPosition: position + sent.length,
      ...(finding ? { finding } : {}),
    };
    const stored = JSON.stringify(placed);
    await database.runAll([placeQueuedStatement(run, stored), ...sent]);
    return { ...run, input: stored, steersRunId: null };
  };
  const placed = await retry(place, { when: isRaceLost, delays: atOnce(MAX_RETRIES) });
  if (finding) logFinding(guarded, runId, finding);
  announceToUser(ownerId, { type: "run.changed", threadId, runId, status: "running" });
  void notifyMembers(database, run, "running");
  return { run: placed, refusal };
}
