"use client";
import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import Link from "next/link";
import { TEMPLATE_ICONS } from "@/components/admin/agents/new/template-row";
import { agentTemplatesQuery } from "@/lib/client/agents/list-agents";

/** Configs to start from; each fills the fields of a new agent. */
export function TemplateCards() {
  const { data } = useQuery(agentTemplatesQuery);
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="templates" className="px-5 py-5 max-sm:px-4">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-2">
        <h2 id="templates" className="text-sm font-medium">
          Start from a template
        </h2>
        <p className="text-xs text-muted">Each becomes a draft that you can try before anybody else sees it.</p>
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {data.map(({ id, name, description, warnings }) => {
          const Icon = TEMPLATE_ICONS[id] ?? Bot;
          return (
            <li key={id} className="relative rounded-lg border border-border px-3 py-2.5 hover:bg-surface-secondary">
              <Link
                href={`/admin/agents/new?template=${encodeURIComponent(id)}`}
                className="flex items-center gap-2.5 text-sm font-medium after:absolute after:inset-0"
              >
                <Icon className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
                {name}
              </Link>
              <p className="mt-0.5 pl-[26px] text-xs text-muted">{description}</p>
              {warnings.map(({ path, message }) => (
                <p key={`${path} ${message}`} className="mt-1 pl-[26px] text-xs text-limit-text">
                  {message}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
