import "server-only";
import type { AgUiBody } from "@/lib/schema/apis/ag-ui";
import { AppError } from "@/lib/schema/app-error";
import type { Decision } from "@/lib/schema/runs/interrupt";
import type { Viewer } from "@/lib/schema/users/user";
import { type AskOfThread, asksOfThread, isAbout } from "@/lib/server/apis/agents/asks-of-thread";
import { applyDecisions } from "@/lib/server/apis/agents/resume-agent";
import { lastSeq } from "@/lib/server/engine/log/read-events";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { callOfInterrupt } from "./ag-ui-interrupt";
import type { FollowedRun } from "./stream-ag-ui";

interface Answered {
  readonly thread: { readonly id: string; readonly clientId: string };
  readonly viewer: Viewer;
  readonly resume: NonNullable<AgUiBody["resume"]>;
}

/**
 * Applies the answers; returns the run that goes on. A client cancels what has expired before it goes on, and what
 * somebody answered elsewhere: where nothing else is left to decide, it gets what the run has done since.
 */
export async function answerInterrupts(services: Services, { thread, viewer, resume }: Answered): Promise<FollowedRun> {
  const answers = resume.map(({ interruptId, status, answer }, at) => ({
    status,
    place: `resume.${at}.payload`,
    decision: { ...callOfInterrupt(interruptId), ...answer } satisfies Decision,
  }));
  const asks = await asksOfThread(
    services.database,
    thread.id,
    answers.map(({ decision }) => decision),
  );
  const isOver = (decision: Decision): boolean => {
    const own = asks.filter((ask) => isAbout(decision, ask));
    return own.length > 0 && own.every(({ isOpen }) => !isOpen);
  };
  const open = answers.filter(({ status, decision }) => status === "resolved" || !isOver(decision));
  if (open.length === 0) {
    // Some models use the same id in each reply: the last one is meant.
    const byTime = asks.toSorted((one, other) => Number(one.changedAt) - Number(other.changedAt));
    const meant = answers.map(({ decision }) => byTime.findLast((ask) => isAbout(decision, ask)));
    return sinceDecided(
      services.database,
      byTime.filter((ask) => meant.includes(ask)),
      viewer,
    );
  }
  const { run, after } = await applyDecisions(services, {
    ...{ thread, viewer },
    decisions: open.map(({ decision }) => decision),
    places: open.map(({ place }) => place),
  });
  return { runId: run.runId, ownerId: viewer.id, after };
}

/** While it waited the run did nothing, so what the client does not have yet begins at the first decision. */
async function sinceDecided(database: Database, [first]: readonly AskOfThread[], viewer: Viewer): Promise<FollowedRun> {
  if (!first) throw new AppError("not_waiting", "No run of this thread is waiting for a decision.");
  const after = await lastSeq(database, first.rootRunId, first.changedAt);
  return { runId: first.rootRunId, ownerId: viewer.id, after };
}
