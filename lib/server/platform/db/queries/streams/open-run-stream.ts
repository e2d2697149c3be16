import { sql } from "kysely";
import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { type AgentAccess, isReachable } from "@/lib/server/platform/db/queries/agent-access";
import { headOf, OPENING_JOINS, type RunOpening, readOpening } from "./opening-run";
import { isReadable } from "./readable-thread";

/** A run that the viewer can read with its thread, and that thread's id for its client. */
export interface FoundRun {
  readonly clientId: string;
  readonly traceId: string;
  /** Null if the run has to be read in the usual way. */
  readonly opening: RunOpening | null;
}

/** In one statement; null for a deleted thread's run, and for one that the viewer can't read. */
export async function selectRunToStream(database: Database, runId: string, viewer: Reader): Promise<FoundRun | null> {
  const opened = await readOpening<{ clientId: string; traceId: string }>((log) =>
    database.execute(
      build
        .selectFrom("run as r")
        .innerJoin("thread as t", "t.id", "r.threadId")
        .leftJoin("run_event as e", (join) => join.on(OPENING_JOINS.log).on(log))
        .leftJoin("run as w", (join) => join.on(OPENING_JOINS.run))
        .leftJoin("transcript_message as m", (join) => join.on(OPENING_JOINS.message))
        .select(headOf(database.dialect, { clientId: sql.ref("t.clientId") }).as("head"))
        .select(["e.seq", "e.data", "e.createdAt"])
        .where("r.id", "=", runId)
        .where(isReadable(viewer))
        .orderBy("e.seq"),
    ),
  );
  if (!opened) return null;
  const { head, opening } = opened;
  return { clientId: head.clientId, traceId: head.traceId, opening };
}

interface Chat {
  readonly agentId: string;
  readonly clientId: string;
  readonly viewer: Reader;
  readonly access: AgentAccess;
}

/**
 * The run of the viewer's thread with that agent that has not ended, by the client's id of the thread, in one statement;
 * `run` is null if nothing runs. Null for an agent that is unknown, not published or out of reach.
 */
export async function selectChatToStream(
  database: Database,
  { agentId, clientId, viewer, access }: Chat,
): Promise<{ readonly run: (Omit<FoundRun, "clientId"> & { readonly runId: string }) | null } | null> {
  const current = build
    .selectFrom("run as q")
    .innerJoin("thread as t", "t.id", "q.threadId")
    .select("q.id")
    .where("t.ownerId", "=", viewer.id)
    .where("t.agentId", "=", agentId)
    .where("t.clientId", "=", clientId)
    .where(isReadable(viewer))
    .where("q.parentRunId", "is", null)
    .where("q.endedAt", "is", null)
    .where("q.heldAt", "is", null)
    .orderBy("q.position")
    .limit(1);
  const opened = await readOpening<{ id: string | null; traceId: string }>((log) =>
    database.execute(
      build
        .selectFrom("agent as a")
        .leftJoin("run as r", (join) => join.on((eb) => eb("r.id", "=", current)))
        .leftJoin("run_event as e", (join) => join.on(OPENING_JOINS.log).on(log))
        .leftJoin("run as w", (join) => join.on(OPENING_JOINS.run))
        .leftJoin("transcript_message as m", (join) => join.on(OPENING_JOINS.message))
        .select(headOf(database.dialect, {}).as("head"))
        .select(["e.seq", "e.data", "e.createdAt"])
        .where("a.id", "=", agentId)
        .where("a.deletedAt", "is", null)
        .where("a.currentVersionId", "is not", null)
        .where(isReachable(access))
        .orderBy("e.seq"),
    ),
  );
  if (!opened) return null;
  const { id: runId, traceId } = opened.head;
  return { run: runId === null ? null : { runId, traceId, opening: opened.opening } };
}
