"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { Time } from "@/components/ui/time";
import { auditCheckQuery } from "@/lib/client/audit/audit-queries";
import { errorMessage } from "@/lib/client/http/api";
import { formatCount } from "@/lib/client/ui/text/format";
import type { AuditCheck } from "@/lib/schema/audit";
import { formatDuration } from "@/lib/schema/format-duration";

/** Whether the log is unaltered: one line above the list. */
export function ChainLine({ onShow }: { onShow: (id: string) => void }) {
  const check = useQuery(auditCheckQuery);
  return (
    <div
      role="status"
      className="flex min-h-9 shrink-0 items-center gap-2 border-b border-border px-4 py-1.5 text-xs max-md:flex-wrap"
    >
      <Verdict check={check.data} error={check.error} onShow={onShow} />
      <span className="flex-1" />
      {check.data && !check.isFetching ? (
        <span className="text-muted max-lg:hidden">
          Checked <Time at={check.data.atMs} isInSentence /> in {formatDuration(check.data.tookMs)}
        </span>
      ) : null}
      <Button variant="ghost" isPending={check.isFetching} onPress={() => void check.refetch()}>
        Verify again
      </Button>
    </div>
  );
}

interface VerdictProps {
  check: AuditCheck | undefined;
  error: Error | null;
  onShow: (id: string) => void;
}

function Verdict({ check, error, onShow }: VerdictProps) {
  if (error) return <span className="text-fail-text">The chain could not be checked: {errorMessage(error)}</span>;
  if (!check) return <span className="text-muted">Checking the chain …</span>;
  if (check.ok) {
    return (
      <p>
        <CircleCheck className="mr-1.5 inline size-3.5 text-ok-text" aria-hidden />
        <b className="font-medium">The chain holds.</b> <span className="text-muted">{holdsText(check)}</span>
      </p>
    );
  }
  const { firstBroken } = check;
  return (
    <p className="text-fail-text">
      <CircleX className="mr-1.5 inline size-3.5" aria-hidden />
      <b className="font-medium">The chain is broken.</b> {check.problem} {formatCount(check.checked)} entries before it
      hold; later ones cannot be trusted.
      {firstBroken ? (
        <Button variant="ghost" className="ml-1" onPress={() => onShow(firstBroken)}>
          Show it
        </Button>
      ) : null}
    </p>
  );
}

function holdsText({ checked, since, waiting, notChained }: AuditCheck): string {
  const date = since === null ? "" : ` since ${new Date(since).toLocaleDateString("en-GB", { dateStyle: "medium" })}`;
  const entries = checked === 1 ? "1 entry" : `${formatCount(checked)} entries`;
  const chained = `${entries}${date}, each with the hash of the one before; none changed, none missing.`;
  const new_ = waiting > 0 ? ` ${formatCount(waiting)} more will be linked within seconds.` : "";
  const old = notChained > 0 ? ` ${formatCount(notChained)} from before there was a chain.` : "";
  return `${chained}${new_}${old}`;
}
