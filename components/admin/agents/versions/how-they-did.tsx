"use client";
import { VersionFigures } from "@/components/admin/agents/usage/version-figures";
import { useVersionUsage } from "@/lib/client/usage/agent-usage";
import { USAGE_PERIODS } from "@/lib/client/usage/use-usage-view";
import type { Side, Sides } from "./side";

export interface HowTheyDidProps {
  agentId: string;
  sides: Sides;
  names: { readonly from: string; readonly to: string };
}

/** Runs, failures, time and cost of both sides of a comparison. */
export function HowTheyDid({ agentId, sides, names }: HowTheyDidProps) {
  const { view, rows } = useVersionUsage(agentId);
  if (rows === null) return null;
  const period = USAGE_PERIODS.find(({ id }) => id === view.url.period)?.name.toLowerCase() ?? "";
  const hasDraft = sides.from === "draft" || sides.to === "draft";
  const side = (number: Side, name: string) => ({
    name,
    row: rows.find(({ version }) => String(version) === number) ?? null,
    ...(number === "draft" ? { note: "not counted" } : {}),
  });
  const both = [side(sides.from, names.from), ...(sides.to === sides.from ? [] : [side(sides.to, names.to)])];
  return (
    <>
      <header className="mt-3 flex min-h-11 items-center gap-2 px-5">
        <h2 className="text-sm font-medium">How they did</h2>
        <span className="text-xs text-muted">{hasDraft ? `${period}; the draft has only test runs` : period}</span>
      </header>
      <VersionFigures label="How they did" versions={both} />
    </>
  );
}
