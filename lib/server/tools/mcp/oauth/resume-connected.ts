import "server-only";
import { resumeConnectAsk, waitingForConnection } from "@/lib/server/engine/asks/resume-connect-asks";
import type { Database } from "@/lib/server/platform/db/database";

/**
 * Resumes every run that waits for a connection its person has created since. Called after a connection, after a run
 * has begun to wait, and periodically, so that neither event can miss the other.
 */
export async function resumeConnected(db: Database): Promise<void> {
  for (const waiting of await waitingForConnection(db)) {
    const { connect, ownerId } = waiting;
    const key = { serverId: connect.serverId, holder: ownerId };
    const row = await db.mcpConnection.findUnique({ where: { serverId_holder: key } });
    const isNew = row !== null && row.lostAt === null && row.connectedAt.toISOString() !== connect.lostSince;
    if (isNew) await resumeConnectAsk(db, waiting);
  }
}
