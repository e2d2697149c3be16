import type { Database } from "@/lib/server/platform/db/database";
import type { SqlValue } from "@/lib/server/platform/db/dialect";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRow, updateRows } from "@/lib/server/platform/db/statements";

interface GroupChat {
  readonly channelId: string;
  readonly chatId: string;
}

const IN_GROUP = `l."channelId" = $1 and l."externalChat" = $2 and l."chatKind" = 'group'`;

/** The threads of a group that have a run which has not ended. */
export async function selectRunningThreads(database: Database, { channelId, chatId }: GroupChat): Promise<string[]> {
  const rows = await database.raw<{ threadId: string }>(
    `select distinct r."threadId" from "channel_link" l join "firing" f on f."triggerId" = l."id"
        join "run" r on r."id" = f."runId"
      where ${IN_GROUP} and f."state" = 'started' and f."outcome" is null and r."endedAt" is null
        and r."heldAt" is null
      order by r."threadId"`,
    [channelId, chatId],
  );
  return rows.map(({ threadId }) => threadId);
}

/** The links of a group with a message waiting its turn, oldest first. */
export async function selectWaitingTriggers(database: Database, { channelId, chatId }: GroupChat): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select l."id", min(f."dueAt") as "first" from "channel_link" l join "firing" f on f."triggerId" = l."id"
      where ${IN_GROUP} and f."state" = 'claimed' group by l."id" order by "first", l."id"`,
    [channelId, chatId],
  );
  return rows.map(({ id }) => id);
}

interface ChannelLease {
  readonly channelId: string;
  readonly holder: string;
  /** From now on, by the database's clock. */
  readonly holdMs: number;
}

/** Takes or renews the lease to receive for a channel; false if another process holds it. */
export async function leaseChannel(database: Database, { channelId, holder, holdMs }: ChannelLease): Promise<boolean> {
  const { clock } = database.dialect;
  const rows = await database.raw(
    `update "channel" set "leaseHolder" = $2, "leaseUntil" = ${clock("$3")}
      where "id" = $1 and "enabled" = true
        and ("leaseUntil" is null or "leaseUntil" < ${clock()} or "leaseHolder" = $2) returning "id"`,
    [channelId, holder, holdMs],
  );
  return rows.length > 0;
}

/** Does nothing if another process holds the lease. */
export async function releaseChannel(database: Database, channelId: string, holder: string): Promise<void> {
  await database.raw(
    `update "channel" set "leaseHolder" = null, "leaseUntil" = null where "id" = $1 and "leaseHolder" = $2`,
    [channelId, holder],
  );
}

/** Stores the channel's read offset, with whatever the update is stored as. */
export function moveOffsetStatement(channelId: string, offset: string | undefined, now: Date): SqlStatement {
  return updateRows("channel", { id: channelId }, { ...(offset === undefined ? {} : { offset }), lastUpdateAt: now });
}

/** Marks the link's chat as the one that its person used last. */
export function noteLinkUsedStatement(linkId: string, now: Date): SqlStatement {
  return updateRows("channel_link", { id: linkId }, { lastUsedAt: now });
}

/** Fails the list of statements if the code has been used or has expired. */
export function takeCodeStatement({ hash, linkId, now }: { hash: string; linkId: string; now: Date }): SqlStatement {
  return {
    sql: `update "channel_code" set "usedAt" = $2, "linkId" = $3
      where "hash" = $1 and "usedAt" is null and "expiresAt" > $2`,
    parameters: [hash, now, linkId],
    mustChange: true,
  };
}

interface SenderOfOthers {
  readonly channelId: string;
  readonly externalUser: string;
  readonly exceptUserId: string;
}

/** Removes a sender's links to everybody else, with their triggers; threads and runs stay. */
export function unlinkSenderStatements({ channelId, externalUser, exceptUserId }: SenderOfOthers): SqlStatement[] {
  const ofOthers = `"channelId" = $1 and "externalUser" = $2 and "userId" <> $3`;
  const parameters = [channelId, externalUser, exceptUserId];
  return [
    { sql: `delete from "trigger" where "id" in (select "id" from "channel_link" where ${ofOthers})`, parameters },
    { sql: `delete from "channel_link" where ${ofOthers}`, parameters },
  ];
}

interface NewLinkColumns extends Readonly<Record<string, SqlValue>> {
  readonly id: string;
  readonly userId: string;
  readonly agentId: string;
  readonly chatName: string;
}

interface NewTrigger {
  readonly config: string;
  readonly apiKeyId: string | null;
  readonly now: Date;
}

/** A link, and the trigger of the same id that its messages fire. */
export function insertLinkStatements(link: NewLinkColumns, { config, apiKeyId, now }: NewTrigger): SqlStatement[] {
  const { id, userId: ownerId, agentId, chatName: name } = link;
  const trigger = { id, ownerId, agentId, kind: "channel", name, config, apiKeyId };
  return [
    insertRow("channel_link", link),
    insertRow("trigger", { ...trigger, enabled: true, fromConfig: false, createdAt: now, updatedAt: now }),
  ];
}

interface RenewedLink {
  readonly senderName: string;
  readonly chatName: string;
  readonly apiKeyId: string | null;
}

/** A chat that its person links again, perhaps with another API key or none. */
export function renewLinkStatements(id: string, { apiKeyId, ...names }: RenewedLink): SqlStatement[] {
  const on = { enabled: true, pausedReason: null, pausedAt: null, apiKeyId };
  return [updateRows("channel_link", { id }, names), updateRows("trigger", { id }, on)];
}
