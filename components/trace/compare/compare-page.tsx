"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { TraceLead } from "@/components/trace/trace-head";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { ApiError } from "@/lib/client/http/api";
import { compareQuery } from "@/lib/client/trace/compare/compare-queries";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { CompareView } from "./compare-view";
import { PickRun } from "./pick-run";

const URL_STATE = { a: parseAsString, b: parseAsString };

/** Where two runs part, and what that cost; with one run alone, the choice of the other. */
export function ComparePage() {
  const [{ a, b }, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const swap = () => void setUrl({ a: b, b: a });
  useShortcuts({ s: () => (b === null ? undefined : swap()) });
  return (
    <Page>
      <PageHead
        lead={<TraceLead />}
        title="Compare two runs"
        actions={
          a === null || b === null ? null : (
            <>
              <IconButton label="Swap the runs" shortcut="s" onPress={swap}>
                <ArrowLeftRight />
              </IconButton>
              <CopyButton text={() => window.location.href} label="Copy link" size="sm" />
            </>
          )
        }
      />
      <Body a={a} b={b} onPick={(picked) => void setUrl({ b: picked })} />
    </Page>
  );
}

interface BodyProps {
  a: string | null;
  b: string | null;
  onPick: (runId: string) => void;
}

function Body({ a, b, onPick }: BodyProps) {
  if (a === null) {
    return (
      <EmptyState title="Nothing to compare">
        Tick two runs in the list of traces and compare them, or press Compare in a trace.
      </EmptyState>
    );
  }
  return b === null ? <PickRun runId={a} onPick={onPick} /> : <Compared a={a} b={b} />;
}

function Compared({ a, b }: { a: string; b: string }) {
  const query = useQuery(compareQuery(a, b));
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <NotFoundState what="trace" listHref="/traces">
        One of the two was deleted, or it belongs to someone else.
      </NotFoundState>
    );
  }
  return (
    <QueryState what="two runs" query={query}>
      {(compared) => <CompareView key={`${a} ${b}`} compared={compared} />}
    </QueryState>
  );
}
