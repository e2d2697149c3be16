"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { modelUsageQuery, providerAgentsQuery } from "@/lib/client/providers/provider-queries";
import { formatCost, formatCount } from "@/lib/client/ui/text/format";
import type { Provider } from "@/lib/schema/provider";
import type { ProviderAgent } from "@/lib/schema/providers/provider-figures";
import type { UsageRow } from "@/lib/schema/usage/usage-report";

const COLUMNS = [
  { id: "agent", label: "Agent" },
  { id: "model", label: "First model" },
  { id: "fallback", label: "Fallback", className: "max-md:hidden" },
  { id: "runs", label: "Runs, 30 days", align: "right", className: "max-sm:hidden" },
  { id: "cost", label: "Cost", align: "right", className: "max-sm:hidden" },
] as const;

/** The agents that would be affected without the provider. */
export function UsedBy({ provider: { id } }: { provider: Provider }) {
  const agents = useQuery(providerAgentsQuery(id));
  const usage = useQuery(modelUsageQuery);
  if (!agents.data) return null;
  const count = agents.data.length;
  return (
    <section aria-label="Used by" className="pb-6">
      <div className="flex items-baseline gap-2 px-5 pt-5 pb-1 max-sm:px-4">
        <h3 className="text-sm font-medium">Used by</h3>
        <span className="text-xs text-muted">
          {count === 0
            ? "No agent asks it, neither first nor when others fail."
            : `${count === 1 ? "1 agent" : `${count} agents`}, first or when others fail`}
        </span>
      </div>
      {count === 0 ? null : (
        <Table label="Agents that use it">
          <TableHead columns={COLUMNS} />
          <tbody>
            {agents.data.map((agent) => (
              <AgentRow
                key={agent.id}
                agent={agent}
                own={`${id}:`}
                used={usage.data?.rows.filter((row) => row.agent === agent.id)}
              />
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

interface AgentRowProps {
  agent: ProviderAgent;
  /** The prefix of the provider's models. */
  own: string;
  used: readonly UsageRow[] | undefined;
}

function AgentRow({ agent: { id, name, version, model, fallbacks, usesDefault }, own, used }: AgentRowProps) {
  const short = (full: string) => (full.startsWith(own) ? full.slice(own.length) : full);
  const sum = (read: (row: UsageRow) => number) => (used ?? []).reduce((total, row) => total + read(row), 0);
  const known = sum(({ knownCostUsd }) => knownCostUsd);
  const isUnknown = sum(({ unpricedTokens }) => unpricedTokens) > 0;
  return (
    <TableRow>
      <TableCell>
        <Link href={`/admin/agents/${id}`} className="font-medium hover:underline">
          {name}
        </Link>{" "}
        <span className="text-xs text-muted">v{version}</span>
      </TableCell>
      <TableCell className="max-w-64 truncate font-mono text-xs text-muted">
        {short(model)}
        {usesDefault ? <span className="font-sans"> (the default)</span> : null}
      </TableCell>
      <TableCell className="max-w-64 truncate font-mono text-xs text-muted max-md:hidden">
        {fallbacks.map(short).join(", ")}
      </TableCell>
      <TableCell align="right" className="max-sm:hidden">
        {used ? formatCount(sum(({ runs }) => runs)) : ""}
      </TableCell>
      <TableCell align="right" className="max-sm:hidden">
        {used && (known > 0 || !isUnknown) ? formatCost(known) : null}
        {isUnknown ? <span className="text-muted">{known > 0 ? " + unknown" : "unknown"}</span> : null}
      </TableCell>
    </TableRow>
  );
}
