import "server-only";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { McpNotConnected } from "@/lib/server/tools/mcp/oauth/connection-row";
import { type McpServerRow, readServerInfo } from "@/lib/server/tools/mcp/server-row";
import { CURRENT_REVISION } from "./current-transport";
import { hasNotBeenSent, isRefusal } from "./revision-refused";

/** `current`: 2026-07-28, without sessions. `earlier`: whichever of those before the server chooses. */
type Revision = "current" | "earlier";

/** The revision that worked with a server. */
interface Standing {
  readonly revision: Revision;
  /** The other one was tried and did not. */
  readonly isOnly: boolean;
}

/** How a connection is to be made. */
export interface RevisionWay {
  readonly revision: Revision;
  /** How long the server has for its first answer. */
  readonly timeoutMs: number;
  /** How long it has for each page of a list. */
  readonly listMs: number;
  /** Requests that fail may be tried in an earlier revision. */
  readonly canFallBack: boolean;
}

const CONNECT_MS = 20_000;
const LIST_MS = 20_000;
/** How long a list may take in the current revision before it is asked for in an earlier one. */
const LIST_AT_FIRST_MS = 5_000;
/** The same of a server that has given its tools in it before. */
const LIST_AS_BEFORE_MS = 10_000;
/** How long a server that is not known may take to say that it speaks the current revision. */
const PROBE_MS = 3_000;

/** One of the earlier revisions alone. */
export function earlierWithin(timeoutMs: number): RevisionWay {
  return { revision: "earlier", timeoutMs, listMs: LIST_MS, canFallBack: false };
}

type Known = Pick<McpServerRow, "id" | "createdAt" | "revision" | "transport" | "facts">;

/** Which revision to try first, from the next connection on. */
export function preferRevision(services: Services, server: Known, standing: Standing): void {
  standings(services).set(keyOf(server), standing);
}

/** The next connection finds out which revisions the server speaks. */
export function forgetRevision(services: Services, server: Known): void {
  standings(services).set(keyOf(server), null);
}

/** Null for a server that is to be tried anew. */
const standings = serviceState("mcp-revisions", () => new Map<string, Standing | null>());

function keyOf({ id, createdAt, revision }: Known): string {
  return `${id} ${createdAt.getTime()}.${revision}`;
}

/** What worked in this process, else what the installation remembers of the server; null if nothing. */
function standingOf(services: Services, server: Known): Standing | null {
  const own = standings(services).get(keyOf(server));
  const protocol = readServerInfo(server)?.protocol ?? "";
  if (own !== undefined || protocol === "") return own ?? null;
  return { revision: protocol === CURRENT_REVISION ? "current" : "earlier", isOnly: false };
}

/**
 * Connects in the revision that worked last, else in the current one, and if that fails in the other. A server that
 * can't be reached at all is not asked twice. Throws what `connect` throws.
 */
export async function connectInRevision<T>(
  services: Services,
  server: Known,
  connect: (way: RevisionWay) => Promise<T>,
): Promise<T> {
  // The older transport is of the earlier revisions alone.
  if (server.transport === "sse") return connect(earlierWithin(CONNECT_MS));
  const known = standingOf(services, server);
  const revision = known?.revision ?? "current";
  const isOnly = known?.isOnly ?? false;
  try {
    const timeoutMs = known === null ? PROBE_MS : CONNECT_MS;
    const canFallBack = revision === "current" && !isOnly;
    const patience = known === null ? LIST_AT_FIRST_MS : LIST_AS_BEFORE_MS;
    const listMs = canFallBack ? patience : LIST_MS;
    const connection = await connect({ revision, timeoutMs, listMs, canFallBack });
    preferRevision(services, server, { revision, isOnly });
    return connection;
  } catch (error) {
    if (error instanceof McpNotConnected || hasNotBeenSent(error)) throw error;
    return connectInOther(services, server, { revision, isKnown: known !== null, error }, connect);
  }
}

interface FirstFailure {
  readonly revision: Revision;
  readonly isKnown: boolean;
  readonly error: unknown;
}

async function connectInOther<T>(
  services: Services,
  server: Known,
  first: FirstFailure,
  connect: (way: RevisionWay) => Promise<T>,
): Promise<T> {
  const other = first.revision === "current" ? "earlier" : "current";
  const attempt = async (revision: Revision) => {
    const connection = await connect({ ...earlierWithin(CONNECT_MS), revision });
    preferRevision(services, server, { revision, isOnly: revision === "current" });
    return connection;
  };
  try {
    return await attempt(other);
  } catch (error) {
    const isUnknown = other === "earlier" && isRefusal(causeOf(error));
    // A server of the current revision alone that is slow to start.
    if (isUnknown && !first.isKnown && isTimeout(causeOf(first.error))) return attempt("current");
    throw other === "current" || first.isKnown || isUnknown ? first.error : error;
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === ErrorCode.RequestTimeout;
}
