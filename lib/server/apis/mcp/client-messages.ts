import "server-only";
import { z } from "zod";
import type { McpBody } from "@/lib/schema/apis/mcp";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import { OPEN_STATUSES } from "@/lib/schema/runs/run";
import type { Viewer } from "@/lib/schema/users/user";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { runInReach } from "@/lib/server/platform/within-reach";
import { answerAsks, decideAsk, findOwnRun, openAsksOf } from "./answer-ask";
import { denied, FAILED_ELICITATION, keyOfAsk } from "./ask-form";
import { type McpSession, threadOfCall } from "./mcp-session";

const ASK = "ask/";

/** The id of the message that carries an ask to the client. */
export function askMessageId(runId: string, ask: Interrupt): string {
  return `${ASK}${runId}/${keyOfAsk(ask)}`;
}

const Reply = z.looseObject({
  id: z.string().startsWith(ASK),
  method: z.undefined().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
const Cancellation = z.looseObject({
  method: z.literal("notifications/cancelled"),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});

/**
 * Takes the messages by which a client of before 2026-07-28 answers an ask or cancels a call, in requests of their own.
 * True if the body had nothing else. What they name is looked up with the viewer's rights; what is unknown is ignored.
 */
export async function takeMessages(
  services: Services,
  viewer: Viewer,
  session: McpSession | null,
  body: McpBody,
): Promise<boolean> {
  const messages = Array.isArray(body) ? body : [body];
  let taken = 0;
  for (const message of messages) {
    const reply = Reply.safeParse(message);
    const cancellation = Cancellation.safeParse(message);
    if (reply.success) await takeReply(services, viewer, reply.data);
    else if (cancellation.success && session)
      await cancelCall(services.database, viewer, session, cancellation.data.params.requestId);
    else continue;
    taken += 1;
  }
  return taken === messages.length;
}

async function takeReply(
  services: Services,
  viewer: Viewer,
  { id, result, error }: z.infer<typeof Reply>,
): Promise<void> {
  const [runId = "", ...key] = id.slice(ASK.length).split("/");
  if (!viewer.scopes.includes("chat") || !(await findOwnRun(services.database, viewer, runId))) return;
  if (error === undefined) return answerAsks(services, viewer, runId, { [key.join("/")]: result });
  const ask = (await openAsksOf(services.database, runId)).find((one) => keyOfAsk(one) === key.join("/"));
  if (ask) await decideAsk(services, viewer, { runId, ask }, denied(ask, FAILED_ELICITATION));
}

async function cancelCall(
  database: Database,
  viewer: Viewer,
  session: McpSession,
  requestId: string | number,
): Promise<void> {
  if (!viewer.scopes.includes("chat")) return;
  const thread = { ownerId: viewer.id, clientId: threadOfCall(session, requestId) };
  const open = await database.run.findMany({
    where: { AND: [{ thread }, runInReach(viewer)], parentRunId: null, status: { in: [...OPEN_STATUSES] } },
    select: { id: true },
  });
  for (const { id } of open) await cancelRun(database, id, viewer.id);
}
