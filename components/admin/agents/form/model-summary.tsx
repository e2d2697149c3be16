"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { providersQuery } from "@/lib/client/chat/thread-queries";
import { providerQuery } from "@/lib/client/providers/provider-queries";
import { formatTokens } from "@/lib/client/ui/text/format";
import type { ListedModel, ModelPrice } from "@/lib/schema/provider";

/** The demo model costs nothing. */
const DEMO = "demo";

/** Below a model's field: its window and its price; nothing for a model of an unknown provider. */
export function ModelSummary({ model: spec }: { model: string }) {
  const at = spec.indexOf(":");
  const [providerId, name] = [spec.slice(0, Math.max(0, at)), spec.slice(at + 1)];
  const providers = useQuery(providersQuery);
  const isKnown = providerId !== DEMO && (providers.data?.providers.some(({ id }) => id === providerId) ?? false);
  const provider = useQuery({ ...providerQuery(providerId), enabled: isKnown });
  const model = isKnown && name !== "" ? provider.data?.known?.find(({ id }) => id === name) : undefined;
  if (model === undefined) return null;
  return (
    <p className="mt-1 text-xs text-muted">
      {summaryText(model)}
      {model.price === undefined ? (
        <>
          The price of {name} is not known. Its tokens count, and its cost reads “unknown”.{" "}
          <Link
            href={`/admin/models?provider=${encodeURIComponent(providerId)}`}
            prefetch={false}
            className="text-link underline touch-target"
          >
            Add a price
          </Link>
        </>
      ) : null}
    </p>
  );
}

function summaryText({ contextWindow, price }: Pick<ListedModel, "contextWindow" | "price">): string {
  const window = contextWindow === undefined ? "" : `${formatTokens(contextWindow)} window. `;
  return price === undefined ? window : `${window}${priceText(price)}`;
}

function priceText({ input, cachedRead, output }: ModelPrice): string {
  return `${dollars(input)} in, ${dollars(cachedRead)} cached, ${dollars(output)} out per million tokens.`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
