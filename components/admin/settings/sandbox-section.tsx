"use client";
import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { QueryState } from "@/components/ui/states/query-state";
import { StateRing } from "@/components/ui/states/state-ring";
import { statusQuery } from "@/lib/client/settings/settings-queries";
import type { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

/** The abilities of this machine's sandboxes. */
export function SandboxSection({ section }: Pick<SectionProps, "section">) {
  const status = useQuery(statusQuery);
  return (
    <SettingsFrame section={section}>
      <QueryState what="state of the sandbox" query={status}>
        {({ sandbox, dockerSandbox }) => (
          <SectionBody intro="Commands of agents run in a sandbox of bubblewrap, which the server tried when it started, or in containers of Docker, where an agent's backend.sandbox is docker.">
            <Probe title={bubblewrapTitle(sandbox)} sandbox={sandbox} />
            <Probe title={dockerTitle(dockerSandbox)} sandbox={dockerSandbox} isOptional={sandbox.available} />
          </SectionBody>
        )}
      </QueryState>
    </SettingsFrame>
  );
}

function bubblewrapTitle({ available, reason }: SandboxStatus): string {
  if (!available) return "Commands can't run in bubblewrap";
  return reason === null ? "bubblewrap works" : "Commands run without a sandbox";
}

function dockerTitle({ available }: SandboxStatus): string {
  return available ? "Docker works" : "Commands can't run in containers";
}

interface ProbeProps {
  title: string;
  sandbox: SandboxStatus;
  /** Agents that don't ask for it run their commands elsewhere; one that does says so on its page. */
  isOptional?: boolean;
}

function Probe({ title, sandbox, isOptional = false }: ProbeProps) {
  const { available, reason, remedy } = sandbox;
  const isSafe = available && reason === null;
  const without = isOptional ? "cancelled" : "failed";
  return (
    <div className="rounded-lg border border-border">
      <p className="flex min-h-10 flex-wrap items-center gap-x-2 px-3 py-2 text-sm">
        <StateRing status={isSafe ? "completed" : without} />
        <span className="font-medium">{title}</span>
        {reason === null ? null : <span className="text-muted">{reason}</span>}
        {isOptional && !available ? (
          <span className="text-muted">Only agents whose backend.sandbox is docker need one.</span>
        ) : null}
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
