import Link from "next/link";

/** Back to the list of agents. */
export function AgentCrumbs() {
  return (
    <>
      <Link href="/admin/agents" className="text-sm text-muted hover:text-foreground">
        Agents
      </Link>
      <span aria-hidden="true" className="text-subtle">
        /
      </span>
    </>
  );
}
