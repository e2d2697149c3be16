"use client";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/admin/query-state";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { StateRing } from "@/components/ui/states/state-ring";
import { statusQuery } from "@/lib/client/settings/settings-queries";
import type { Status } from "@/lib/schema/status";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

/** The abilities of this machine's sandbox, determined by running a command in it at startup. */
export function SandboxSection({ section }: SectionProps) {
  const status = useQuery(statusQuery);
  return (
    <SettingsFrame section={section}>
      <QueryState what="state of the sandbox" query={status}>
        {({ sandbox }) => (
          <SectionBody intro="Commands of agents run in a sandbox of bubblewrap. The server tried one when it started.">
            <Probe sandbox={sandbox} />
          </SectionBody>
        )}
      </QueryState>
    </SettingsFrame>
  );
}

function Probe({ sandbox: { available, reason, remedy } }: Pick<Status, "sandbox">) {
  const isSafe = available && reason === null;
  const title = isSafe ? "bubblewrap works" : available ? "Commands run without a sandbox" : "Commands can't run";
  return (
    <div className="rounded-lg border border-border">
      <p className="flex min-h-10 flex-wrap items-center gap-x-2 px-3 py-2 text-sm">
        <StateRing status={isSafe ? "completed" : "failed"} />
        <span className="font-medium">{title}</span>
        {reason === null ? null : <span className="text-muted">{reason}</span>}
      </p>
      {remedy === null ? null : (
        <div className="border-t border-separator px-3 py-2">
          <p className="text-xs text-muted">What helps:</p>
          <div className="mt-1 flex items-start gap-2 rounded-md border border-border bg-code py-1.5 pr-1 pl-3">
            <code className="min-w-0 flex-1 text-xs break-words whitespace-pre-wrap">{remedy}</code>
            <CopyButton text={remedy} label="Copy the remedy" size="sm" />
          </div>
        </div>
      )}
    </div>
  );
}
