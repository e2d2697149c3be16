/** Slash commands act on a person's own threads; a test thread has none. */
export const NO_COMMANDS = [] as const;

export function TestNote() {
  return (
    <span className="min-w-0 truncate px-1 text-xs text-muted">Test runs stay out of lists; their cost counts.</span>
  );
}
