import Link from "next/link";

const MOST = 3;

/** The agents that use something, each linked to its page. */
export function AgentLinks({ agents }: { agents: readonly { readonly id: string; readonly name: string }[] }) {
  if (agents.length === 0) return <span className="text-muted">no agent</span>;
  const more = agents.length - MOST;
  return (
    <span className="relative inline-flex flex-wrap gap-x-2 leading-6">
      {agents.slice(0, MOST).map(({ id, name }) => (
        <Link key={id} href={`/admin/agents/${id}`} className="max-w-32 truncate text-link leading-6 hover:underline">
          {name}
        </Link>
      ))}
      {more > 0 ? <span className="text-muted">+{more}</span> : null}
    </span>
  );
}
