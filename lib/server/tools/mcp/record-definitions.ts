import type { McpDefinition } from "@/lib/schema/tools/mcp-server";
import type { Database } from "@/lib/server/platform/db/database";
import { isRaceLost } from "@/lib/server/platform/db/errors";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { hashDefinition } from "./definitions";
import type { McpServerInfo, McpServerRow } from "./server-row";

/** How often answers without changes are recorded. */
const NOTED_EVERY_MS = 60_000;
const ATTEMPTS = 5;

interface Answer {
  readonly tools: ReadonlyMap<string, McpDefinition>;
  readonly facts?: McpServerInfo;
  readonly now?: Date;
}

/**
 * Stores the server's current description of its tools. Accepted definitions are unchanged: a tool that differs from
 * its accepted definition is no longer offered. Costs one query and no write if nothing has changed.
 */
export function recordDefinitions(database: Database, server: McpServerRow, answer: Answer): Promise<void> {
  return retry(() => tryToRecord(database, server, answer), { when: isRaceLost, delays: atOnce(ATTEMPTS) });
}

async function tryToRecord(database: Database, { id }: McpServerRow, { tools, facts, now = new Date() }: Answer) {
  const [server, known] = await Promise.all([
    database.mcpServer.findUnique({ where: { id } }),
    database.mcpTool.findMany({ where: { serverId: id } }),
  ]);
  if (!server) return;
  const rows = new Map(known.map((row) => [row.name, row]));
  const changes = [...tools].flatMap(([name, definition]) => {
    const hash = hashDefinition(definition);
    if (rows.get(name)?.hash === hash) return [];
    const said = { definition: JSON.stringify(definition), hash, noticedAt: now };
    const where = { serverId_name: { serverId: id, name } };
    return [database.mcpTool.upsert({ where, create: { serverId: id, name, ...said }, update: said })];
  });
  const gone = known.filter(({ name, hash }) => hash !== null && !tools.has(name));
  const leaving = gone.map(({ name, pinnedHash }) => {
    const where = { serverId_name: { serverId: id, name } };
    return pinnedHash === null
      ? database.mcpTool.delete({ where })
      : database.mcpTool.update({ where, data: { hash: null, definition: null, noticedAt: now } });
  });
  const isStale = server.askedAt === null || now.getTime() - server.askedAt.getTime() >= NOTED_EVERY_MS;
  const isNews = isStale || server.awaySince !== null || facts !== undefined;
  const said = facts === undefined ? {} : { facts: JSON.stringify(facts) };
  const noted = { askedAt: now, awaySince: null, awayReason: null, ...said };
  const news = isNews ? [database.mcpServer.update({ where: { id }, data: noted })] : [];
  if (changes.length + leaving.length + news.length > 0) {
    await database.$transaction([...changes, ...leaving, ...news]);
  }
}

/** Keeps the time at which the server first went away. */
export async function recordAway(database: Database, { id }: Pick<McpServerRow, "id">, reason: string): Promise<void> {
  const awayReason = reason.slice(0, 1_000);
  const first = { id, awaySince: null };
  await database.mcpServer.updateMany({ where: first, data: { awaySince: new Date(), awayReason } });
  await database.mcpServer.updateMany({ where: { id, NOT: { awayReason } }, data: { awayReason } });
}

/** Stores what is known of the server by now, unless somebody else has stored something meanwhile. */
export async function recordServerInfo(
  database: Database,
  { id, facts: before }: Pick<McpServerRow, "id" | "facts">,
  facts: McpServerInfo,
): Promise<void> {
  await database.mcpServer.updateMany({ where: { id, facts: before }, data: { facts: JSON.stringify(facts) } });
}
