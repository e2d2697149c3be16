import type { Database } from "@/lib/server/platform/db/database";

interface Move {
  readonly channelId: string;
  readonly from: string;
  readonly to: string;
}

/** A chat goes on under another id: its links, their threads and the messages sent there go with it. */
export async function moveChat(database: Database, { channelId, from, to }: Move): Promise<void> {
  const links = await database.channelLink.findMany({
    where: { channelId, externalChat: { in: [from, to] } },
    orderBy: { id: "asc" },
  });
  const there = new Set(
    links.filter(({ externalChat }) => externalChat === to).map(({ externalUser }) => externalUser),
  );
  const moved = links.filter(({ externalChat, externalUser }) => externalChat === from && !there.has(externalUser));
  const triggers = await database.trigger.findMany({
    where: { id: { in: moved.map(({ id }) => id) } },
    select: { id: true, config: true },
    orderBy: { id: "asc" },
  });
  await database.$transaction([
    ...moved.map(({ id }) =>
      database.channelLink.update({ where: { id }, data: { externalChat: to }, select: { id: true } }),
    ),
    ...triggers.map(({ id, config }) =>
      database.trigger.update({
        where: { id },
        data: { config: JSON.stringify({ ...JSON.parse(config), chatId: to }) },
        select: { id: true },
      }),
    ),
    database.channelMessage.updateMany({ where: { channelId, externalChat: from }, data: { externalChat: to } }),
  ]);
}
