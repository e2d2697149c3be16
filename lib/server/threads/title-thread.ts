import "server-only";
import type { ThreadTitle } from "@/lib/schema/threads/thread";
import type { Reader } from "@/lib/schema/users/user";
import { titleOf } from "@/lib/server/engine/accept";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { FirstTurn } from "@/lib/server/engine/titles/write-title";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { claimFirstTime } from "@/lib/server/platform/db/queries/first-times";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { announceProject } from "./projects/announce-project";
import { requireOwnThread } from "./thread-row";

/** `writeTitle` of this process, loaded only when a title is written. */
export type LoadTitles = (services: Services) => Promise<(run: ClaimedRun, turn: FirstTurn) => Promise<string>>;

/** The demo always gives the same answer, and each request to a script consumes one of its answers. */
const NO_WRITERS: readonly string[] = ["demo", "scripted"];

/**
 * After the first turn, lets the model write a title for the viewer's thread. Tried once: if that fails or exceeds a
 * budget, the first line of the question stays; a title given by a person always stays.
 */
export async function titleThread(
  services: Services,
  threadId: string,
  viewer: Reader,
  loadTitles: LoadTitles,
): Promise<ThreadTitle> {
  const { database } = services;
  const { title } = await requireOwnThread(database, threadId, viewer);
  const first = await findFirstTurn(database, threadId);
  if (first === null || title !== titleOf(first.turn.question)) return { title };
  const named = await database.thread.findFirst({
    where: { id: threadId, titled: true },
    select: { id: true },
  });
  if (named) return { title };
  const attempt = createId("title");
  const claimed = await claimFirstTime(database, `title ${threadId}`, { runId: attempt, threadId });
  if (claimed.runId !== attempt) return { title };
  try {
    const write = await loadTitles(services);
    const written = await write(first.run, first.turn);
    return (await replaceTitle(services, { threadId, ownerId: viewer.id, title }, written))
      ? { title: written }
      : { title };
  } catch (error) {
    logger().info({ err: error, threadId }, "a thread keeps the first line as its title");
    return { title };
  } finally {
    // Whatever came of it, the thread has used more.
    announceToUser(viewer.id, { type: "thread.changed", threadId });
  }
}

/** The thread's only root run and what was said in it, once it has completed. */
async function findFirstTurn(database: Database, threadId: string) {
  const runs = await database.run.findMany({ where: { threadId, parentRunId: null }, take: 2 });
  const [run] = runs;
  if (run === undefined || runs.length > 1 || run.status !== "completed") return null;
  if (NO_WRITERS.includes(run.model?.split(":", 1)[0] ?? "demo")) return null;
  const texts = await database.transcriptMessage.findMany({
    where: { threadId, runId: run.id },
    orderBy: { position: "asc" },
    select: { role: true, text: true },
  });
  const textOf = (role: string) => texts.find((message) => message.role === role)?.text ?? "";
  const turn: FirstTurn = { question: textOf("user"), answer: textOf("assistant") };
  return turn.question === "" ? null : { run, turn };
}

interface Titled {
  readonly threadId: string;
  readonly ownerId: string;
  readonly title: string | null;
}

/** False if a person has given the thread a title meanwhile. */
async function replaceTitle(
  services: Services,
  { threadId, ownerId, title }: Titled,
  written: string,
): Promise<boolean> {
  const where = { id: threadId, title, titled: false };
  const { count } = await services.database.thread.updateMany({ where, data: { title: written } });
  if (count === 0) return false;
  await services.database.trace.updateMany({ where: { threadId, ownerId, title }, data: { title: written } });
  const thread = await services.database.thread.findUnique({ where: { id: threadId }, select: { projectId: true } });
  await announceProject(services, thread?.projectId ?? null);
  return true;
}
