import { createHash } from "node:crypto";

/**
 * The session of a client from before 2026-07-28, which says only once what it can do. The id says it to whichever
 * process gets the next request; it grants nothing, because each request is answered with the rights of its own key.
 */
export interface McpSession {
  readonly id: string;
  /** The client can ask its person (elicitation with a form). */
  readonly canAsk: boolean;
}

/** The id of a new session. */
export function newSessionId(canAsk: boolean): string {
  return `${canAsk ? "asks" : "mute"}-${crypto.randomUUID()}`;
}

/** The session that a request names; null if it names none of ours. */
export function readSession(id: string | null): McpSession | null {
  const kind = /^(asks|mute)-[\da-f-]{36}$/.exec(id ?? "")?.[1];
  return kind === undefined || id === null ? null : { id, canAsk: kind === "asks" };
}

/** The thread's client id of a call, from which any process finds its run when the client cancels the call. */
export function threadOfCall(session: McpSession, requestId: string | number): string {
  const hash = createHash("sha256").update(JSON.stringify([session.id, requestId]));
  return `mcp_${hash.digest("hex").slice(0, 32)}`;
}

/** Whether these capabilities of a client include elicitation with a form: the standard way if none is named. */
export function canElicit(capabilities: unknown): boolean {
  const elicitation = fieldOf(capabilities, "elicitation");
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
