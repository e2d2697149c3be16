"use client";
import { useQuery } from "@tanstack/react-query";
import { Info } from "lucide-react";
import { LinkButton } from "@/components/ui/controls/button";
import { formatTokens } from "@/lib/client/ui/text/format";
import { usageQuery } from "@/lib/client/usage/usage-queries";

interface UnpricedNoticeProps {
  scope: { readonly from: string; readonly to: string; readonly timezone: string };
  tokens: number;
}

/** Names the models whose tokens have no cost. */
export function UnpricedNotice({ scope: { from, to, timezone }, tokens }: UnpricedNoticeProps) {
  const byModel = useQuery(usageQuery({ from, to, timezone, by: ["model"] }));
  const models = (byModel.data?.rows ?? [])
    .filter(({ unpricedTokens, model }) => unpricedTokens > 0 && typeof model === "string")
    .map(({ unpricedTokens, model }) => `${formatTokens(unpricedTokens)} of ${model}`);
  return (
    <div className="m-5 flex items-start gap-2.5 rounded-lg border border-border px-3 py-2.5 text-sm">
      <Info className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
      <p className="min-w-0 flex-1 text-muted">
        <strong className="font-medium text-foreground">{formatTokens(tokens)} tokens have no price yet</strong> and are
        left out of the total{models.length > 0 ? `: ${models.join(", ")}` : ""}.
      </p>
      <LinkButton href="/admin/models">Add prices</LinkButton>
    </div>
  );
}
