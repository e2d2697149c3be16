import type { ChildRun } from "@/lib/agent/subagents";
import { SubagentData } from "@/lib/schema/messages/ui-message";
import { cardTokens } from "@/lib/schema/runs/usage";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { isNotFound, isNothingChanged, NothingChanged } from "@/lib/server/platform/db/errors";
import { selectLateChildren } from "@/lib/server/platform/db/queries/runs";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { describeChild } from "./child-run";
import { incrementBy } from "./child-totals";

/** How often to retry while other children change the same message. */
const MAX_RETRIES = 20;

/**
 * Reports children that ended after their parent: adds their usage to the parent and shows in its message how they
 * ended. Calls no model and sends no message (S3). Called after the end of a run and periodically; each child is
 * reported once.
 */
export async function reportChildren(database: Database): Promise<void> {
  await eachAlone(await selectLateChildren(database), "reporting a child", async (id) => {
    const child = await database.run.findUnique({ where: { id } });
    if (child?.parentRunId) await report(database, child, child.parentRunId);
  });
}

async function report(database: Database, child: ClaimedRun, parentRunId: string): Promise<void> {
  const parent = await database.run.findUnique({ where: { id: parentRunId } });
  if (!parent) return;
  const described = await describeChild(database, child);
  await showEnd(database, { child, described, parent });
  const counted = await countingAncestors(database, parent);
  const { usage, costUsd } = described;
  const data = incrementBy(usage, costUsd);
  const reachesRoot = counted.at(-1)?.parentRunId === null;
  try {
    await database.$transaction([
      database.run.update({ where: { id: child.id, isReported: false }, data: { isReported: true } }),
      database.run.updateMany({ where: { id: { in: counted.map(({ id }) => id) } }, data }),
      database.thread.updateMany({ where: { id: { in: counted.map(({ threadId }) => threadId) } }, data }),
      database.trace.updateMany({ where: { id: reachesRoot ? child.traceId : "" }, data }),
    ]);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  announceToUser(parent.ownerId, { type: "thread.changed", threadId: parent.threadId });
}

/** The parent, and the ancestors that have already counted the runs below them. */
async function countingAncestors(database: Database, parent: ClaimedRun): Promise<ClaimedRun[]> {
  const counting = [parent];
  let current = parent;
  while (current.parentRunId !== null && current.isReported) {
    const above = await database.run.findUnique({ where: { id: current.parentRunId } });
    if (!above) break;
    counting.push(above);
    current = above;
  }
  return counting;
}

interface EndedChild {
  readonly child: ClaimedRun;
  readonly described: ChildRun;
  readonly parent: ClaimedRun;
}

/** Updates the card in the parent's stored message with the child's end. */
async function showEnd(database: Database, { child, described, parent }: EndedChild): Promise<void> {
  const { status, lastLine, calls, durationMs, usage, costUsd } = described;
  const took = durationMs === null ? {} : { durationMs };
  const end = { status, lastLine, calls, ...took, ...cardTokens(usage), costUsd };
  const update = async () => {
    const message = await database.transcriptMessage.findUnique({ where: { id: parent.assistantMessageId } });
    if (!message) return;
    const parts = (JSON.parse(message.parts) as { type: string; id?: string; data?: unknown }[]).map((part) => {
      if (part.type !== "data-subagent" || part.id !== child.parentToolCallId) return part;
      return { ...part, data: { ...SubagentData.parse(part.data), ...end } };
    });
    const { count } = await database.transcriptMessage.updateMany({
      where: { id: message.id, parts: message.parts },
      data: { parts: JSON.stringify(parts) },
    });
    if (count === 0) throw new NothingChanged("The message has changed in the meantime.");
  };
  await retry(update, { when: isNothingChanged, delays: atOnce(MAX_RETRIES) });
}
