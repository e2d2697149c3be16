"use client";
import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { FactGrid, Section } from "@/components/ui/section";
import { TokenCount } from "@/components/ui/token-count";
import { formatCost } from "@/lib/client/ui/text/format";
import type { ThreadDetail } from "@/lib/schema/threads/thread";

interface UsageSectionProps {
  usage: ThreadDetail["usage"];
  latestTraceId: string | null;
}

/** What the thread has cost so far, in tokens of each kind. */
export function UsageSection({ usage, latestTraceId }: UsageSectionProps) {
  return (
    <Section
      title="Usage"
      extra={
        latestTraceId === null ? null : (
          <Link
            href={`/traces/${latestTraceId}`}
            prefetch={false}
            className="flex items-center gap-1 text-link hover:underline"
          >
            Open trace <ExternalLink className="size-3" aria-hidden />
          </Link>
        )
      }
    >
      <FactGrid
        facts={[
          ["Cost", formatCost(usage.costUsd)],
          ["Tokens", <TokenCount key="totalTokens" tokens={usage.totalTokens} usage={usage} />],
          ["Input", <TokenCount key="inputTokens" tokens={usage.inputTokens} usage={usage} />],
          ["Cached", <TokenCount key="cachedReadTokens" tokens={usage.cachedReadTokens} usage={usage} />],
          ["Output", <TokenCount key="outputTokens" tokens={usage.outputTokens} usage={usage} />],
          ["Reasoning", <TokenCount key="reasoningTokens" tokens={usage.reasoningTokens} usage={usage} />],
        ]}
      />
    </Section>
  );
}
