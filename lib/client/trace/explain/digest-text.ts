import { formatCost, formatCount } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { DigestLine, DigestMeasure } from "@/lib/schema/traces/digest";

type Line<Kind extends DigestLine["kind"]> = Extract<DigestLine, { readonly kind: Kind }>;

const REFUSED: Readonly<Record<Line<"refused">["how"], string>> = {
  rule: "was not allowed by a rule",
  declined: "was denied",
  expired: "was not decided in time",
};

/** "execute npm test failed 3 times: exit code 1". */
export function digestText(line: DigestLine): string {
  switch (line.kind) {
    case "failed":
      return `${callText(line)} failed${timesText(line.times)}${line.error === "" ? "" : `: ${failureText(line.error)}`}`;
    case "refused":
      return `${callText(line)} ${REFUSED[line.how]}${timesText(line.times)}`;
    case "waited":
      return `Waited ${formatDuration(line.waitedMs)} for ${line.person ?? "a person"}: ${callText(line)}`;
    case "longest":
      return `${callText(line)} took longest: ${formatDuration(line.tookMs)}, ${percent(line.share)} of the time worked`;
    case "dearest":
      return `${line.step === null ? "One model call" : `The model call of step ${line.step}`} cost most: ${formatCost(line.costUsd)}, ${percent(line.share)} of all model calls`;
    case "version":
      return versionText(line);
  }
}

function callText({ tool, gist }: { readonly tool: string | null; readonly gist: string }): string {
  if (tool === null) return "A model call";
  return gist === "" ? tool : `${tool} ${gist}`;
}

function timesText(times: number): string {
  return times === 1 ? "" : ` ${formatCount(times)} times`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const MEASURES: Readonly<Record<DigestMeasure, (value: number) => string>> = {
  steps: (value) => `${formatCount(value)} ${value === 1 ? "step" : "steps"}`,
  workedMs: (value) => `${formatDuration(value)} of work`,
  costUsd: (value) => formatCost(value),
  inputTokens: (value) => `${formatCount(value)} input tokens`,
};

/** "12 steps, where v3 usually took 4 (median of 50 runs)". */
function versionText({ measure, value, usual, version, runs }: Line<"version">): string {
  const words = MEASURES[measure];
  return `${words(value)}, where v${version} usually took ${words(usual)} (median of ${formatCount(runs)} runs)`;
}
