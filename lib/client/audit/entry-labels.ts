import type { AuditEntry } from "@/lib/schema/audit";

/** Actions that read badly as "verb a noun". */
const ACTIONS: Readonly<Record<string, string>> = {
  "session.created": "signed in",
  "sessions.revoked": "ended other sessions",
  "password.changed": "changed the password",
  "set_up.completed": "set up the installation",
  "extensions.reloaded": "reloaded extensions",
  "sessions.ended": "ended all sessions",
  "settings.changed": "changed settings",
  "model-defaults.changed": "changed the default model",
  "user.invited": "invited a user",
  "agent.alias_set": "named a version",
  "agent.alias_removed": "removed the name of a version",
  "agent.draft_discarded": "discarded a draft",
  "agent.proposal_accepted": "accepted a proposed rule",
  "agent.proposal_dismissed": "dismissed a proposed rule",
  "oidc.changed": "changed sign-in through the identity provider",
  "oidc.removed": "removed the identity provider",
  "trace.viewed": "read another person's trace",
  "note.deleted": "deleted another person's note",
  "memory.created": "wrote memory",
  "memory.updated": "changed memory",
  "memory.deleted": "deleted memory",
  "memory.restored": "restored memory",
  "memory.viewed": "read another person's memory",
  "memory.searched": "searched another person's memory",
  "mcp_tools.accepted": "accepted tools",
  "mcp_server.connected": "connected to an MCP server",
  "mcp_server.disconnected": "disconnected from an MCP server",
  "input.blocked": "was refused by the guard",
  "approval.expired": "let an approval expire",
};

const NOUNS: Readonly<Record<string, string>> = {
  api_key: "API key",
  mcp_server: "MCP server",
  mcp_tool: "MCP tool",
};

/** `user.changed` as a phrase: "changed a user". */
export function actionLabel(action: string): string {
  const known = ACTIONS[action];
  if (known !== undefined) return known;
  const [noun = "", verb] = action.split(".");
  if (verb === undefined) return action;
  const name = NOUNS[noun] ?? noun.replaceAll("_", " ");
  return `${verb.replaceAll("_", " ")} ${/^[aeio]/i.test(name) || name === "MCP server" || name === "MCP tool" ? "an" : "a"} ${name}`;
}

/** The target, in words. */
export function targetLabel({ target, targetName }: AuditEntry): string {
  const cut = target.indexOf(":");
  return targetName ?? (cut < 0 ? target : target.slice(cut + 1));
}

export interface FieldChange {
  readonly name: string;
  /** Undefined if nothing existed before, or after. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Every field that the entry names, changed ones first. */
export function fieldChanges({ before, after, details }: AuditEntry): FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }));
  const others = Object.entries(details).filter(([name]) => !names.includes(name));
  return [...changed, ...others.map(([name, value]) => ({ name, before: undefined, after: textOf(value) }))];
}

/** The first change in a few words, with the field's name, for the list. */
export function changeLabel(entry: AuditEntry): { before: string | null; after: string } | null {
  const [first, ...others] = fieldChanges(entry);
  if (!first) return null;
  const name = wordsOf(first.name);
  const after = `${first.after ?? "nothing"}${others.length > 0 ? `, ${others.length} more` : ""}`;
  return first.before === undefined
    ? { before: null, after: `${name} ${after}` }
    : { before: `${name} ${first.before}`, after };
}

/** `inputPerMillion` and `on_reach` as words. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ").toLowerCase();
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map(textOf).join("; ");
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => `${wordsOf(name)} ${textOf(part)}`);
    return parts.length === 0 ? "nothing" : parts.join(", ");
  }
  return String(value);
}

/** Enough of a hash to compare by eye. */
export function shortHash(hash: string | null): string {
  return hash === null || hash === "" ? "" : hash.slice(0, 6);
}
