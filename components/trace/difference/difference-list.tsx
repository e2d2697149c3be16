"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryState } from "@/components/ui/states/query-state";
import { differenceQuery, filterOf } from "@/lib/client/trace/difference/difference-queries";
import { FACET_LABELS, facetWord } from "@/lib/client/trace/facets";
import { formatCount } from "@/lib/client/ui/text/format";
import type { Difference, DifferenceQuery, Differences } from "@/lib/schema/traces/difference";

const LABELS: Readonly<Record<Difference["facet"], string>> = {
  ...FACET_LABELS,
  ...{ hour: "Hour", weekday: "Weekday", steps: "Steps", inputTokens: "Input tokens", waited: "Waited for people" },
  rule: "Rule that decided",
};

const FEWEST_RUNS = 5;

export interface DifferenceListProps {
  asked: DifferenceQuery;
  /** The list narrowed by this value; null if it can't be. */
  hrefOf: (facet: NonNullable<ReturnType<typeof filterOf>>, value: string) => string;
}

/** What is different about some runs: their share in ink, that of the others in grey; a press narrows the list. */
export function DifferenceList({ asked, hrefOf }: DifferenceListProps) {
  const query = useQuery(differenceQuery(asked));
  return (
    <QueryState what="differences" query={query}>
      {(found) => <Rows found={found} hrefOf={hrefOf} />}
    </QueryState>
  );
}

function Rows({ found, hrefOf }: { found: Differences } & Pick<DifferenceListProps, "hrefOf">) {
  const { selected, rest, differences } = found;
  if (selected < FEWEST_RUNS || rest < FEWEST_RUNS) {
    const few = selected < FEWEST_RUNS ? "runs" : "other runs";
    return <p className="py-2 text-sm text-muted">Fewer than 5 {few}. Nothing can be compared.</p>;
  }
  if (differences.length === 0) {
    return (
      <p className="py-2 text-sm text-muted">
        Nothing: these {formatCount(selected)} runs are like the {formatCount(rest)} others.
      </p>
    );
  }
  return (
    <>
      <p className="tnum pb-1 text-xs text-muted">
        {formatCount(selected)} runs here, {formatCount(rest)} others
      </p>
      <ul>
        {differences.map((difference) => (
          <Row key={`${difference.facet} ${difference.value}`} difference={difference} hrefOf={hrefOf} />
        ))}
      </ul>
    </>
  );
}

function Row({ difference, hrefOf }: { difference: Difference } & Pick<DifferenceListProps, "hrefOf">) {
  const { facet, value, label, share, baseShare, runs, baseRuns } = difference;
  const filter = filterOf(difference);
  const word =
    facet === "weekday" ? (WEEKDAYS[Number(value)] ?? label) : filter ? facetWord(filter, value, label) : label;
  const name = (
    <>
      <span className="text-muted">{LABELS[facet]}</span> <span className="font-medium break-words">{word}</span>
    </>
  );
  return (
    <li className="border-b border-separator py-1.5 text-xs">
      {filter === null ? (
        <p>{name}</p>
      ) : (
        <Link href={hrefOf(filter, value)} className="hover:underline">
          {name}
        </Link>
      )}
      <Share word="here" share={share} runs={runs} look="bg-foreground" />
      <Share word="others" share={baseShare} runs={baseRuns} look="bg-border-strong" />
    </li>
  );
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

interface ShareProps {
  word: string;
  share: number;
  runs: number;
  look: string;
}

function Share({ word, share, runs, look }: ShareProps) {
  return (
    <p className="tnum flex items-center gap-2 text-2xs text-muted">
      <span className="w-10 shrink-0">{word}</span>
      <span aria-hidden="true" className="h-1.5 min-w-0 flex-1 rounded-xs bg-default">
        <span className={`block h-full rounded-xs ${look}`} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="w-24 shrink-0 text-right">
        {Math.round(share * 100)} %, {formatCount(runs)} {runs === 1 ? "run" : "runs"}
      </span>
    </p>
  );
}
