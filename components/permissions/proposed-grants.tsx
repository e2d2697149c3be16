"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useId, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Time } from "@/components/ui/time";
import { isSame } from "@/lib/client/agents/config-text/config-values";
import { dismissProposal, proposalsQuery } from "@/lib/client/permissions/proposal-queries";
import { formatCount } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import type { Proposal } from "@/lib/schema/permissions/proposals";

const FIRST_ROWS = 3;

interface ProposedGrantsProps {
  agentId: string;
  /** The draft's, as they are being edited. */
  allow: readonly unknown[];
  /** Adds the rule to them. */
  onAccept: (rule: PermissionRule) => void;
}

/** Rules for calls that people allowed often and never denied; nothing where there are none. */
export function ProposedGrants({ agentId, allow, onAccept }: ProposedGrantsProps) {
  const id = useId();
  const [shown, setShown] = useState(FIRST_ROWS);
  const { data = [] } = useQuery(proposalsQuery(agentId));
  const open = data.filter(({ rule }) => !allow.some((other) => isSame(other, rule)));
  if (open.length === 0) return null;
  return (
    <section aria-labelledby={id} className="border-t border-separator">
      <header className="flex flex-wrap items-baseline gap-x-2 px-3 pt-2 pb-1">
        <h4 id={id} className="text-xs font-medium">
          Proposed grants
        </h4>
        <span className="text-xs text-muted">allowed five times or more, never denied</span>
      </header>
      <ul>
        {open.slice(0, shown).map((proposal) => (
          <ProposalRow key={proposal.id} proposal={proposal} agentId={agentId} onAccept={onAccept} />
        ))}
      </ul>
      {open.length > shown ? (
        <button
          type="button"
          className="w-full border-t border-separator px-3 py-1.5 text-left text-xs text-link hover:underline touch-row"
          onClick={() => setShown(open.length)}
        >
          Show {formatCount(open.length - shown)} more
        </button>
      ) : null}
    </section>
  );
}

type ProposalRowProps = Omit<ProposedGrantsProps, "allow"> & { proposal: Proposal };

function ProposalRow({ proposal, agentId, onAccept }: ProposalRowProps) {
  const { id, tool, pattern, rule, calls, onlyBy, people, since, whatIf, examples } = proposal;
  const [example] = examples;
  const queryClient = useQueryClient();
  const dismiss = useAction({
    mutationFn: () => dismissProposal(id),
    onSuccess: () => {
      const { queryKey } = proposalsQuery(agentId);
      queryClient.setQueryData(queryKey, (before) => before?.filter((other) => other.id !== id));
      showToast({ title: `${pattern} will not be proposed again` });
    },
  });
  const name = `${tool} ${pattern}`;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-separator px-3 py-1.5 text-xs first:border-t-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-mono break-words">
          {tool} <span className="text-muted">{pattern}</span>
        </p>
        <p className="tnum text-muted">
          {calls} times since <Time at={since} isInSentence />
          {people === 1 && onlyBy !== null ? `, only by ${onlyBy}` : ""} ·{" "}
          {whatIf.promptsSaved === 1 ? "1 prompt" : `${formatCount(whatIf.promptsSaved)} prompts`} fewer
          {example === undefined ? null : (
            <>
              {" · "}
              <Link
                href={`/traces/${encodeURIComponent(example.traceId)}?layout=waterfall&span=${encodeURIComponent(example.spanId)}&tab=tools`}
                prefetch={false}
                className="text-link hover:underline"
              >
                newest call
              </Link>
            </>
          )}
        </p>
      </div>
      <span className="flex gap-2">
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Dismiss ${name}`}
          isPending={dismiss.isPending}
          onPress={() => dismiss.mutate()}
        >
          Dismiss
        </Button>
        <Button size="sm" aria-label={`Accept ${name}`} onPress={() => onAccept(rule)}>
          Accept
        </Button>
      </span>
    </li>
  );
}
