import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { clock } from "@/lib/server/platform/db/kysely/clock";
import { insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

interface GroupChat {
  readonly channelId: string;
  readonly chatId: string;
}

function firingsOf({ channelId, chatId }: GroupChat) {
  return build
    .selectFrom("channel_link as l")
    .innerJoin("firing as f", "f.triggerId", "l.id")
    .where("l.channelId", "=", channelId)
    .where("l.externalChat", "=", chatId)
    .where("l.chatKind", "=", sql.lit("group"));
}

/** The threads of a group that have a run which has not ended. */
export async function selectRunningThreads(database: Database, chat: GroupChat): Promise<string[]> {
  const rows = await database.execute(
    firingsOf(chat)
      .innerJoin("run as r", "r.id", "f.runId")
      .select("r.threadId")
      .distinct()
      .where("f.state", "=", sql.lit("started"))
      .where("f.outcome", "is", null)
      .where("r.endedAt", "is", null)
      .where("r.heldAt", "is", null)
      .orderBy("r.threadId"),
  );
  return rows.map(({ threadId }) => threadId);
}

/** The links of a group with a message waiting its turn, oldest first. */
export async function selectWaitingTriggers(database: Database, chat: GroupChat): Promise<string[]> {
  const rows = await database.execute(
    firingsOf(chat)
      .select((eb) => ["l.id", eb.fn.min("f.dueAt").as("first")])
      .where("f.state", "=", sql.lit("claimed"))
      .groupBy("l.id")
      .orderBy("first")
      .orderBy("l.id"),
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
  const now = clock(database.dialect);
  const rows = await database.execute(
    build
      .updateTable("channel")
      .set({ leaseHolder: holder, leaseUntil: clock(database.dialect, holdMs) })
      .where("id", "=", channelId)
      .where("enabled", "=", sql.lit(true))
      .where((eb) => eb.or([eb("leaseUntil", "is", null), eb("leaseUntil", "<", now), eb("leaseHolder", "=", holder)]))
      .returning("id"),
  );
  return rows.length > 0;
}

/** Does nothing if another process holds the lease. */
export async function releaseChannel(database: Database, channelId: string, holder: string): Promise<void> {
  await database.execute(
    build
      .updateTable("channel")
      .set({ leaseHolder: null, leaseUntil: null })
      .where("id", "=", channelId)
      .where("leaseHolder", "=", holder),
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
  const taken = build
    .updateTable("channel_code")
    .set({ usedAt: now, linkId })
    .where("hash", "=", hash)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", sqlTimestamp(now));
  return { ...taken.compile(), mustChange: true };
}

interface SenderOfOthers {
  readonly channelId: string;
  readonly externalUser: string;
  readonly exceptUserId: string;
}

/** Removes a sender's links to everybody else, with their triggers; threads and runs stay. */
export function unlinkSenderStatements({ channelId, externalUser, exceptUserId }: SenderOfOthers): SqlStatement[] {
  const links = build
    .selectFrom("channel_link")
    .select("id")
    .where("channelId", "=", channelId)
    .where("externalUser", "=", externalUser)
    .where("userId", "<>", exceptUserId);
  const ofOthers = build
    .deleteFrom("channel_link")
    .where("channelId", "=", channelId)
    .where("externalUser", "=", externalUser)
    .where("userId", "<>", exceptUserId);
  return [build.deleteFrom("trigger").where("id", "in", links).compile(), ofOthers.compile()];
}

interface NewTrigger {
  readonly config: string;
  readonly apiKeyId: string | null;
  readonly now: Date;
}

/** A link, and the trigger of the same id that its messages fire. */
export function insertLinkStatements(
  link: NewRow<"channel_link">,
  { config, apiKeyId, now }: NewTrigger,
): SqlStatement[] {
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
