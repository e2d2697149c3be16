import Link from "next/link";
import { StateRing } from "@/components/ui/states/state-ring";
import { compareHref } from "@/lib/client/trace/compare/compare-queries";
import type { ReplayRun } from "@/lib/schema/traces/replay";

/** The numbers of a replay's runs, each a link to its comparison with the recording. */
export function RunColumns({ runId, runs }: { runId: string; runs: readonly ReplayRun[] }) {
  return (
    <ol className="mt-0.5 flex gap-2">
      {runs.map((run, index) => (
        <li key={run.runId} className="flex w-6 justify-center">
          {run.traceId === null ? (
            <StateRing status={run.status} labelled />
          ) : (
            <Link
              href={compareHref(runId, run.runId)}
              aria-label={`Compare run ${index + 1} with the recording`}
              title={run.error ?? `Compare run ${index + 1} with the recording`}
              className="tnum rounded-sm px-1 font-medium text-link hover:underline"
            >
              {index + 1}
            </Link>
          )}
        </li>
      ))}
    </ol>
  );
}
