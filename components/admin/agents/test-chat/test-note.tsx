/** Slash commands act on a person's own threads; a test thread has none. */
export const NO_COMMANDS = [] as const;

export function TestNote({ agentId }: { agentId: string }) {
  return <span className="min-w-0 truncate px-1 text-xs text-muted">Not in {agentId}’s usage or lists</span>;
}
