"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryState } from "@/components/ui/states/query-state";
import { Tag } from "@/components/ui/tag";
import { skillUsageQuery } from "@/lib/client/skills/skill-queries";
import { formatCount } from "@/lib/client/ui/text/format";
import type { SkillDetail, SkillUsage } from "@/lib/schema/skills/skill";

const MODES: Readonly<Record<SkillUsage["agents"][number]["mode"], string>> = {
  catalog: "in its list",
  inline: "with its whole text",
  search: "found by searching",
};

const TEXT =
  "mt-1 max-h-60 overflow-auto rounded-md bg-code p-2 font-mono text-2xs leading-4 whitespace-pre-wrap wrap-anywhere";

/** The agents that have the skill, and their prompts' text about it. */
export function SkillPrompt({ name }: { name: string }) {
  const usage = useQuery(skillUsageQuery(name));
  return (
    <section className="border-b border-separator p-4 text-sm">
      <h2 className="mb-1 text-xs text-muted">Used by, and what the prompt says</h2>
      <QueryState what="usage" query={usage}>
        {({ agents, command, askedText }) => (
          <>
            {agents.length === 0 ? (
              <p className="text-xs text-muted">
                No agents yet. An agent has skills once its <code>skills.paths</code> is set.
              </p>
            ) : (
              <ul className="flex flex-col gap-2">
                {agents.map((agent) => (
                  <AgentPrompt key={agent.id} agent={agent} />
                ))}
              </ul>
            )}
            <details className="mt-3 text-xs">
              <summary className="min-h-6 leading-6 text-muted hover:text-foreground">
                A message that begins with <code>{command}</code> adds
              </summary>
              <p className={TEXT}>{askedText}</p>
            </details>
          </>
        )}
      </QueryState>
    </section>
  );
}

function AgentPrompt({ agent }: { agent: SkillUsage["agents"][number] }) {
  return (
    <li className="text-xs">
      <Link
        href={`/admin/agents/${encodeURIComponent(agent.id)}`}
        className="inline-flex min-h-6 items-center font-medium touch-row hover:underline"
      >
        {agent.name}
      </Link>
      <details>
        <summary className="min-h-6 leading-6 text-muted hover:text-foreground">
          {MODES[agent.mode]}, about {formatCount(agent.tokens)} tokens
        </summary>
        <p className={TEXT}>{agent.text}</p>
      </details>
    </li>
  );
}

/** The fields of the front matter besides name and description. */
export function SkillFormat({ skill }: { skill: SkillDetail }) {
  const all: [string, string | null][] = [
    ["License", skill.license],
    ["Needs", skill.compatibility],
    ...Object.entries(skill.metadata),
  ];
  const facts = all.filter(([, value]) => value !== null && value !== "");
  return (
    <>
      {facts.length === 0 ? null : (
        <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-xs">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {skill.allowedTools === null ? null : (
        <div className="mt-3">
          <h2 className="mb-1 text-xs text-muted">Allowed tools</h2>
          <p className="flex flex-wrap gap-1">
            {skill.allowedTools.map((tool) => (
              <Tag key={tool} mono>
                {tool}
              </Tag>
            ))}
          </p>
          <p className="mt-1 text-xs text-muted">
            A run that begins with <code>/{skill.name}</code> has no other tools. Other runs are only told their names.
          </p>
        </div>
      )}
    </>
  );
}
