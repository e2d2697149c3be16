import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { CreateTraceView, TraceView, UpdateTraceView } from "@/lib/schema/traces/list/trace-view";
import type { Viewer } from "@/lib/schema/users/user";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";

/** Per person. */
const MOST_VIEWS = 50;

const SHOWN = { id: true, name: true, query: true } as const;

/** The viewer's own views by name; none for a limited key, because they may name agents that it does not reach. */
export async function listTraceViews(database: Database, viewer: Viewer): Promise<TraceView[]> {
  if (viewer.reach !== undefined) return [];
  const where = { ownerId: viewer.id };
  return database.traceView.findMany({ where, select: SHOWN, orderBy: [{ name: "asc" }, { id: "asc" }] });
}

/** Throws `conflict` for a taken name, and where there are too many. */
export async function createTraceView(database: Database, viewer: Viewer, view: CreateTraceView): Promise<TraceView> {
  const ownerId = ownerOf(viewer);
  if ((await database.traceView.count({ where: { ownerId } })) >= MOST_VIEWS) {
    throw new AppError("conflict", `You have ${MOST_VIEWS} views already. Delete some first.`);
  }
  return orTaken(database.traceView.create({ data: { id: createId("view"), ownerId, ...view }, select: SHOWN }));
}

/** Changes what is named. Throws `not_found`, and `conflict` for a taken name. */
export async function updateTraceView(
  database: Database,
  viewer: Viewer,
  id: string,
  change: UpdateTraceView,
): Promise<TraceView> {
  const where = { id, ownerId: ownerOf(viewer) };
  const { count } = await orTaken(database.traceView.updateMany({ where, data: change }));
  if (count === 0) throw noView();
  return database.traceView.findUniqueOrThrow({ where, select: SHOWN });
}

/** Throws `not_found`. */
export async function deleteTraceView(database: Database, viewer: Viewer, id: string): Promise<void> {
  const { count } = await database.traceView.deleteMany({ where: { id, ownerId: ownerOf(viewer) } });
  if (count === 0) throw noView();
}

/** Throws `not_found` for a limited key. */
function ownerOf({ id, reach }: Viewer): string {
  if (reach !== undefined) throw noView();
  return id;
}

async function orTaken<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = "You have a view with this name already.";
    throw new AppError("conflict", message, { details: [{ path: "name", message }] });
  }
}

function noView(): AppError {
  return new AppError("not_found", "There is no such view.");
}
