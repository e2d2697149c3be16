import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { formatCost, formatCount } from "@/lib/client/ui/text/format";
import type { Provider, ProviderTest } from "@/lib/schema/provider";

/** The outcome of the latest test, in the provider's own words; the latest failure remains below a success. */
export function TestCard({ provider: { lastTest, lastFailure, apiKey } }: { provider: Provider }) {
  if (!lastTest) return null;
  return (
    <section aria-label="Last test" className="mx-5 mb-4 overflow-hidden rounded-lg border border-border max-sm:mx-4">
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-1.5 text-sm">
        <StateRing status={lastTest.ok ? "completed" : "failed"} />
        <span className="font-medium">
          {lastTest.ok ? "Answered in" : "Failed after"} {formatCount(lastTest.latencyMs)} ms
        </span>
        <span className="font-mono text-xs break-all text-muted">{lastTest.model}</span>
        <span className="text-xs text-muted">{spentText(lastTest)}</span>
        <span className="ml-auto text-xs text-muted">
          <Time at={lastTest.at} isInSentence />
          {lastTest.byName ? `, by ${lastTest.byName}` : ""}
        </span>
      </header>
      <p
        role={lastTest.ok ? undefined : "alert"}
        className={`border-t border-separator bg-code px-3 py-2 font-mono text-xs break-words ${lastTest.ok ? "" : "text-fail-text"}`}
      >
        {lastTest.ok ? lastTest.text || "It said nothing." : lastTest.error}
      </p>
      {lastTest.ok && lastFailure ? <LastFailure failure={lastFailure} keySetAt={apiKey?.setAt} /> : null}
    </section>
  );
}

function LastFailure({ failure, keySetAt }: { failure: ProviderTest; keySetAt: string | undefined }) {
  const isKeyNewer = keySetAt !== undefined && Date.parse(keySetAt) > Date.parse(failure.at);
  return (
    <p className="flex min-h-8 items-center gap-2 border-t border-separator px-3 py-1 text-xs">
      <StateRing status="failed" size={12} />
      <span className="shrink-0 text-muted">
        <Time at={failure.at} isInSentence />
      </span>
      <span className="min-w-0 flex-1 truncate font-mono text-fail-text" title={failure.error}>
        {failure.error}
      </span>
      {isKeyNewer ? <span className="shrink-0 text-muted">key replaced since</span> : null}
    </p>
  );
}

function spentText({ usage, costUsd, ok }: ProviderTest): string {
  if (!ok || !usage) return "";
  const tokens = usage.isUsagePartial
    ? "tokens unknown"
    : `${formatCount(usage.inputTokens)} tokens in, ${formatCount(usage.outputTokens)} out`;
  return `${tokens}, ${costUsd === null || costUsd === undefined ? "cost unknown" : formatCost(costUsd)}`;
}
