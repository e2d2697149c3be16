import "server-only";
import type { Channel, ChannelState } from "@/lib/schema/channels/channel";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { Database } from "@/lib/server/platform/db/database";
import { currentVersions } from "@/lib/server/triggers/schedules/describe-schedules";
import { type ChannelRow, hookUrlOf } from "./connection";
import { rejectedUpdatesOf } from "./rejected-updates";

export async function describeChannels(database: Database, rows: readonly ChannelRow[], now: Date): Promise<Channel[]> {
  const [agents, away] = await Promise.all([
    currentVersions(
      database,
      rows.map(({ agentId }) => agentId),
    ),
    rejectedUpdatesOf(
      database,
      rows.map(({ id }) => id),
      now,
    ),
  ]);
  return rows.map((row) => ({
    id: row.id,
    kind: ChannelKind.parse(row.kind),
    name: row.name,
    enabled: row.enabled,
    agentId: row.agentId,
    agentName: agents.get(row.agentId)?.name ?? null,
    state: stateOf(row, now),
    username: row.username,
    testedAt: row.testedAt?.toISOString() ?? null,
    testedMs: row.testedMs,
    ending: row.ending,
    apiRoot: row.apiRoot,
    receives: row.receives,
    // For Telegram, the server itself registers the address.
    hookUrl: row.receives === "signed events" ? hookUrlOf(row.id) : null,
    connectedAt: row.connectedAt?.toISOString() ?? null,
    failedAt: row.failedAt?.toISOString() ?? null,
    error: row.error,
    lastUpdateAt: row.lastUpdateAt?.toISOString() ?? null,
    waitedAt: row.waitedAt?.toISOString() ?? null,
    waitedSeconds: row.waitedSeconds,
    turnedAway: away.get(row.id) ?? [],
    createdAt: row.createdAt.toISOString(),
  }));
}

export function stateOf({ enabled, failedAt, connectedAt, leaseUntil }: ChannelRow, now: Date): ChannelState {
  if (!enabled) return "off";
  if (failedAt !== null) return "failed";
  return connectedAt !== null && leaseUntil !== null && leaseUntil > now ? "connected" : "idle";
}
