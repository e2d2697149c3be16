import "server-only";
import { processState } from "@/lib/server/platform/process-state";
import type { McpConnection } from "./connect";
import type { McpServerRow } from "./server-row";

const IDLE_MS = 600_000;
/** Over http, connections of one server that this process keeps for calls at the same time. */
const MAX_CONNECTIONS = 8;

interface Entry {
  /** Of the server, so that one that is created again under its id is another. */
  readonly version: string;
  readonly opened: Promise<McpConnection>;
  uses: number;
  idle: NodeJS.Timeout | undefined;
}

/** A connection for one use; `release` gives it back. */
export interface McpLease {
  readonly connection: McpConnection;
  release(): void;
}

/** The connections of this process, by server. */
export interface McpPool {
  acquire(server: McpServerRow): Promise<McpLease>;
  /** Ends all of a server's connections, and its program. */
  drop(serverId: string): void;
}

interface PoolOptions {
  readonly connect: (server: McpServerRow) => Promise<McpConnection>;
  readonly idleMs?: number;
}

export function createMcpPool({ connect, idleMs = IDLE_MS }: PoolOptions): McpPool {
  const servers = new Map<string, Set<Entry>>();

  const end = (serverId: string, entry: Entry) => {
    clearTimeout(entry.idle);
    servers.get(serverId)?.delete(entry);
    entry.opened.then(
      (connection) => connection.close(),
      () => undefined,
    );
  };

  const add = (server: McpServerRow, entries: Set<Entry>): Entry => {
    const entry: Entry = { version: versionOf(server), opened: connect(server), uses: 0, idle: undefined };
    entries.add(entry);
    entry.opened.catch(() => entries.delete(entry));
    return entry;
  };

  const release = (serverId: string, entry: Entry) => {
    entry.uses -= 1;
    if (entry.uses > 0) return;
    entry.idle = setTimeout(() => end(serverId, entry), idleMs);
    entry.idle.unref();
  };

  /** Null for a connection that was lost while nobody used it. */
  const use = async (server: McpServerRow, entry: Entry): Promise<McpLease | null> => {
    clearTimeout(entry.idle);
    entry.uses += 1;
    const connection = await entry.opened;
    if (connection.isClosed()) return null;
    let isReleased = false;
    return {
      connection,
      release() {
        if (isReleased) return;
        isReleased = true;
        if (connection.isClosed()) end(server.id, entry);
        else release(server.id, entry);
      },
    };
  };

  return {
    async acquire(server) {
      const entries = servers.get(server.id) ?? new Set<Entry>();
      servers.set(server.id, entries);
      for (const entry of entries) if (entry.version !== versionOf(server)) end(server.id, entry);
      for (;;) {
        const entry = choose(server, entries) ?? add(server, entries);
        const lease = await use(server, entry);
        if (lease) return lease;
        end(server.id, entry);
      }
    },
    drop(serverId) {
      for (const entry of servers.get(serverId) ?? []) end(serverId, entry);
    },
  };
}

function versionOf({ createdAt, revision }: McpServerRow): string {
  return `${createdAt.getTime()}.${revision}`;
}

/** A program is one process for everybody; over http a call has a connection to itself while there are few. */
function choose({ transport }: McpServerRow, entries: ReadonlySet<Entry>): Entry | undefined {
  const byUse = [...entries].toSorted((a, b) => a.uses - b.uses);
  const [least] = byUse;
  if (least === undefined || transport === "stdio" || least.uses === 0) return least;
  return entries.size < MAX_CONNECTIONS ? undefined : least;
}

/** The process's own pool. The protocol's library is loaded with the first connection. */
export function mcpPool(): McpPool {
  return processState("mcp-pool", () =>
    createMcpPool({
      async connect(server) {
        const { connectMcp } = await import("./connect");
        return connectMcp(server);
      },
    }),
  );
}
