"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Time } from "@/components/ui/time";
import { draftAgentsQuery } from "@/lib/client/agents/agent-queries";
import { fold } from "@/lib/schema/fold";

/** Agents that are not published yet; nothing while there are none. */
export function DraftList({ search }: { search: string }) {
  const { data = [] } = useQuery(draftAgentsQuery);
  const wanted = fold(search);
  const found = data.filter(({ id, name, description }) => fold(`${id}\n${name}\n${description}`).includes(wanted));
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="draft-agents" className="border-b border-border">
      <div className="flex flex-wrap items-baseline gap-x-2 bg-background px-5 py-1.5 max-sm:px-4">
        <h2 id="draft-agents" className="text-xs font-medium text-muted">
          Drafts <span className="tnum">{found.length}</span>
        </h2>
        <p className="text-xs text-muted">Only administrators see them until they are published.</p>
      </div>
      <ul>
        {found.map(({ id, name, description, updatedAt, updatedByName }) => (
          <li
            key={id}
            className="relative flex min-h-11 items-center gap-3 border-t border-separator px-5 py-1.5 hover:bg-surface-secondary max-sm:px-4"
          >
            <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full border-[1.5px] border-foreground" />
            <Link
              href={`/admin/agents/${encodeURIComponent(id)}`}
              data-agent={id}
              className="shrink-0 text-sm font-medium after:absolute after:inset-0"
            >
              {name}
            </Link>
            <span className="min-w-0 flex-1 truncate text-xs text-muted max-sm:hidden">{description}</span>
            <span className="ml-auto shrink-0 text-xs text-muted">
              {updatedByName === null ? null : `${updatedByName}, `}
              <Time at={updatedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
