import "server-only";
import { serviceState } from "@/lib/server/platform/services";
import type { McpConnection } from "./connect";
import type { McpServerRow } from "./server-row";

const IDLE_MS = 600_000;
/** The number of HTTP connections to one server that this process keeps for concurrent calls. */
const MAX_CONNECTIONS = 8;

interface Entry {
  /** The server's version, so that a server recreated under the same id counts as another. */
  readonly version: string;
  readonly opened: Promise<McpConnection>;
  uses: number;
  idle: NodeJS.Timeout | undefined;
}

/** A connection for one use; `release` returns it to the pool. */
export interface McpLease {
  readonly connection: McpConnection;
  release(): void;
}

/** With OAuth: whose tokens a connection carries, and since when. */
export interface PoolHolder {
  readonly holder: string;
  readonly version: string;
}

/** Connections by server and holder. */
export interface McpPool {
  acquire(server: McpServerRow, holder?: PoolHolder): Promise<McpLease>;
  /** Closes the connections to a server that are in no use. */
  dropIdle(serverId: string): void;
  /** Closes all of a server's connections and ends its program. */
  drop(serverId: string): void;
}

interface PoolOptions {
  readonly connect: (server: McpServerRow, holder: string | null) => Promise<McpConnection>;
  readonly idleMs?: number;
}

export function createMcpPool({ connect, idleMs = IDLE_MS }: PoolOptions): McpPool {
  const servers = new Map<string, Set<Entry>>();

  const end = (key: string, entry: Entry) => {
    clearTimeout(entry.idle);
    servers.get(key)?.delete(entry);
    entry.opened.then(
      (connection) => connection.close(),
      () => undefined,
    );
  };

  const add = (server: McpServerRow, holder: PoolHolder | undefined, entries: Set<Entry>): Entry => {
    const opened = connect(server, holder?.holder ?? null);
    const entry: Entry = { version: versionOf(server, holder), opened, uses: 0, idle: undefined };
    entries.add(entry);
    entry.opened.catch(() => entries.delete(entry));
    return entry;
  };

  const release = (key: string, entry: Entry) => {
    entry.uses -= 1;
    if (entry.uses > 0) return;
    entry.idle = setTimeout(() => end(key, entry), idleMs);
    entry.idle.unref();
  };

  /** Null for a connection that was lost while idle. */
  const use = async (key: string, entry: Entry): Promise<McpLease | null> => {
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
        if (connection.isClosed()) end(key, entry);
        else release(key, entry);
      },
    };
  };

  return {
    async acquire(server, holder) {
      const key = `${server.id} ${holder?.holder ?? ""}`;
      const entries = servers.get(key) ?? new Set<Entry>();
      servers.set(key, entries);
      for (const entry of entries) if (entry.version !== versionOf(server, holder)) end(key, entry);
      for (;;) {
        const entry = choose(server, entries) ?? add(server, holder, entries);
        const lease = await use(key, entry);
        if (lease) return lease;
        end(key, entry);
      }
    },
    dropIdle(serverId) {
      for (const [key, entries] of servers) {
        if (!key.startsWith(`${serverId} `)) continue;
        for (const entry of entries) if (entry.uses === 0) end(key, entry);
      }
    },
    drop(serverId) {
      for (const [key, entries] of servers) {
        if (!key.startsWith(`${serverId} `)) continue;
        for (const entry of entries) end(key, entry);
        servers.delete(key);
      }
    },
  };
}

function versionOf({ createdAt, revision }: McpServerRow, holder: PoolHolder | undefined): string {
  return `${createdAt.getTime()}.${revision}.${holder?.version ?? ""}`;
}

/** A program is one process for everybody; over HTTP, a call has its own connection as long as there are few. */
function choose({ transport }: McpServerRow, entries: ReadonlySet<Entry>): Entry | undefined {
  const byUse = [...entries].toSorted((a, b) => a.uses - b.uses);
  const [least] = byUse;
  if (least === undefined || transport === "stdio" || least.uses === 0) return least;
  return entries.size < MAX_CONNECTIONS ? undefined : least;
}

/** The pool of these services. The protocol's library is loaded with the first connection. */
export const mcpPool = serviceState("mcp-pool", (services) =>
  createMcpPool({
    async connect(server, holder) {
      const { connectMcp } = await import("./connect");
      return connectMcp(services, server, holder);
    },
  }),
);
