import "server-only";
import { z } from "zod";
import { toMessageColumns } from "@/lib/server/engine/transcript/load-history";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isTaken, NothingChanged } from "@/lib/server/platform/db/errors";
import { selectLastMessagePosition } from "@/lib/server/platform/db/queries/messages";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { userNames } from "@/lib/server/users/user-names";
import { UndoTargets } from "./undo-targets";

type Statement = Parameters<Database["$transaction"]>[0][number];

interface Line {
  readonly undo: { readonly id: string; readonly runId: string; readonly threadId: string };
  readonly targets: UndoTargets;
  readonly actorId: string;
  readonly isBack: boolean;
  readonly at: Date;
}

const Parts = z.array(z.looseObject({ type: z.string(), id: z.string().optional(), data: z.unknown().optional() }));

/** How often to try while the end of another run takes the position, or something else the reply. */
const MAX_RETRIES = 20;

/**
 * Stores the line of an undo, or of taking it back, with `others` in one transaction: as a message that the next model
 * call on the path reads, and at the end of the path's last reply for people.
 */
export async function storeLine(database: Database, line: Line, others: () => Statement[]): Promise<void> {
  const store = async () => {
    const statements = [...others(), ...(await lineStatements(database, line))];
    try {
      await database.$transaction(statements);
    } catch (error) {
      if (isTaken(error) || isNotFound(error)) throw new NothingChanged("The thread has changed.");
      throw error;
    }
  };
  const when = (error: unknown) => error instanceof NothingChanged;
  await retry(store, { when, delays: atOnce(MAX_RETRIES) });
}

async function lineStatements(database: Database, line: Line): Promise<Statement[]> {
  const { undo, targets, actorId, isBack, at } = line;
  const { threadId } = undo;
  const runId = targets.lineRunId;
  const [names, run, last] = await Promise.all([
    userNames(database, [actorId]),
    database.run.findUnique({ where: { id: runId }, select: { assistantMessageId: true } }),
    selectLastMessagePosition(database, threadId),
  ]);
  const by = names.get(actorId) ?? "Somebody";
  const words = isBack ? targets.backWords : targets.words;
  const id = messageIdOf(undo.id, isBack);
  const message = toMessageColumns({ id, role: "user", content: `[${by} ${words}]` }, () => id);
  const reply = run && (await database.transcriptMessage.findUnique({ where: { id: run.assistantMessageId } }));
  const data = { undoId: undo.id, runId: undo.runId, by, text: words, atMs: at.getTime(), isBack };
  const part = { type: "data-undo", id, data };
  return [
    database.message.create({ data: { ...message, threadId, runId, position: last + 1, createdAt: at } }),
    ...(reply
      ? [
          database.transcriptMessage.update({
            where: { id: reply.id, parts: reply.parts },
            data: { parts: JSON.stringify([...Parts.parse(JSON.parse(reply.parts)), part]) },
            select: { id: true },
          }),
        ]
      : []),
  ];
}

/** The ids of the two messages that an undo writes. */
function messageIdOf(undoId: string, isBack: boolean): string {
  return isBack ? `${undoId}-back` : undoId;
}

const ERASED_NAME = "A person whose account was erased";

/** Takes the name of an erased person out of the lines in threads that others started. */
export async function eraseNameInLines(database: Database, userId: string): Promise<void> {
  const undos = await database.undo.findMany({ where: { OR: [{ actorId: userId }, { takenBackById: userId }] } });
  for (const { id, actorId, takenBackById, targets: json } of undos) {
    const targets = UndoTargets.parse(JSON.parse(json));
    const backs = [...(actorId === userId ? [false] : []), ...(takenBackById === userId ? [true] : [])];
    for (const isBack of backs) await eraseName(database, { id, targets, isBack });
  }
}

interface NamedLine {
  readonly id: string;
  readonly targets: UndoTargets;
  readonly isBack: boolean;
}

async function eraseName(database: Database, { id: undoId, targets, isBack }: NamedLine): Promise<void> {
  const id = messageIdOf(undoId, isBack);
  const words = isBack ? targets.backWords : targets.words;
  const content = `[${ERASED_NAME} ${words}]`;
  const { bodyHash } = toMessageColumns({ id, role: "user", content }, () => id);
  await database.message.updateMany({ where: { id }, data: { content, bodyHash } });
  const run = await database.run.findUnique({
    where: { id: targets.lineRunId },
    select: { assistantMessageId: true },
  });
  const reply = run && (await database.transcriptMessage.findUnique({ where: { id: run.assistantMessageId } }));
  if (!reply) return;
  const parts = Parts.parse(JSON.parse(reply.parts)).map((part) =>
    part.type === "data-undo" && part.id === id
      ? { ...part, data: { ...Data.parse(part.data), by: ERASED_NAME } }
      : part,
  );
  await database.transcriptMessage.updateMany({
    where: { id: reply.id, parts: reply.parts },
    data: { parts: JSON.stringify(parts) },
  });
}

const Data = z.record(z.string(), z.unknown());
