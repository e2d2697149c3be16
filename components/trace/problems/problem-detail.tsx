"use client";
import { X } from "lucide-react";
import Link from "next/link";
import { AlertButton } from "@/components/trace/alerts/alert-button";
import { DifferenceList } from "@/components/trace/difference/difference-list";
import { LinkButton } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/client/ui/text/format";
import type { Problem } from "@/lib/schema/traces/problem";

export interface ProblemDetailProps {
  problem: Problem;
  agentName: string;
  onClose: () => void;
}

/** One problem: its runs, and what is different about them against the agent's others. */
export function ProblemDetail({ problem, agentName, onClose }: ProblemDetailProps) {
  const { id, title, agentId, runs, people, firstVersion, firstSeenAt, lastSeenAt, sampleRunIds } = problem;
  const runsHref = `/traces?problemId=${encodeURIComponent(id)}`;
  const asked = { selection: { filters: { problemId: id } }, base: { filters: { agentId } } };
  return (
    <aside
      aria-label="Problem"
      className="w-[464px] shrink-0 overflow-y-auto border-l border-border bg-surface p-4 max-lg:w-full max-lg:border-l-0"
    >
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 text-sm font-semibold break-words">{title}</h2>
        <IconButton label="Close" shortcut="Esc" onPress={onClose}>
          <X />
        </IconButton>
      </div>
      <p className="tnum pt-1 text-xs text-muted">
        {agentName}
        {firstVersion === null ? "" : ` since v${firstVersion}`}, {runs === 1 ? "1 run" : `${formatCount(runs)} runs`}{" "}
        of {people === 1 ? "1 person" : `${formatCount(people)} people`}, first <Time at={firstSeenAt} isInSentence />,
        last <Time at={lastSeenAt} isInSentence />
      </p>
      <div className="flex flex-wrap items-center gap-3 py-3 text-xs">
        <LinkButton href={runsHref}>{runs === 1 ? "Show its run" : `Show its ${formatCount(runs)} runs`}</LinkButton>
        <AlertButton
          label="Alert when it comes back"
          query={`problemId=${encodeURIComponent(id)}`}
          name={shortName(title)}
        />
        {sampleRunIds.map((runId, index) => (
          <Link key={runId} href={`/traces/${encodeURIComponent(runId)}`} className="text-link hover:underline">
            {index === 0 ? "Latest run" : `${index + 1}.`}
          </Link>
        ))}
      </div>
      <h3 className="pb-1 text-xs font-medium">What is different?</h3>
      <DifferenceList asked={asked} hrefOf={(facet, value) => `${runsHref}&${facet}=${encodeURIComponent(value)}`} />
    </aside>
  );
}

const NAME_CHARACTERS = 60;

function shortName(title: string): string {
  return title.length > NAME_CHARACTERS ? `${title.slice(0, NAME_CHARACTERS - 1).trimEnd()}…` : title;
}
