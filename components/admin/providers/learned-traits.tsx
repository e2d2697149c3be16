import { Button } from "@/components/ui/controls/button";
import { errorMessage } from "@/lib/client/http/api";
import { modelRows, withFigures } from "@/lib/client/providers/model-rows";
import { useProviderChange } from "@/lib/client/providers/use-providers";
import { formatCount } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Provider } from "@/lib/schema/provider";
import type { LearnedLimit } from "@/lib/schema/providers/provider-refusals";

/** What the provider's own refusals have taught about how its models want requests. */
export function LearnedTraits({ provider }: { provider: Provider }) {
  const { learned = [], refusals } = provider;
  const { tools = [], limits = [] } = refusals ?? {};
  if (learned.length + tools.length + limits.length === 0) return null;
  return (
    <section aria-label="Learned from refusals" className="px-5 pt-5 max-sm:px-4">
      <h3 className="text-sm font-medium">Learned from refusals</h3>
      <ul className="mt-1 space-y-1 text-xs text-muted">
        {learned.map(({ model, traits, words }) => (
          <li key={`${model} ${JSON.stringify(traits)}`} className="break-words">
            <span className="font-mono text-text">{model}</span> is asked with{" "}
            {Object.entries(traits)
              .map(([trait, value]) => `${trait}: ${String(value)}`)
              .join(", ")}
            , because it said: “{words}”
          </li>
        ))}
        {limits.map((limit) => (
          <LimitLine key={limit.model} provider={provider} limit={limit} />
        ))}
        {tools.map(({ model, tool, words }) => (
          <li key={`${model} ${tool}`} className="break-words">
            <span className="font-mono text-text">{model}</span> is not offered the tool{" "}
            <span className="font-mono text-text">{tool}</span> until it changes, because it said: “{words}”
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A window that a refusal named: nothing uses it until an administrator says so. */
function LimitLine({ provider, limit }: { provider: Provider; limit: LearnedLimit }) {
  const { id, models, source } = provider;
  const change = useProviderChange();
  const { model, contextWindow, words } = limit;
  const isSet = models.some((known) => known.id === model && known.contextWindow === contextWindow);
  const use = () => {
    const { price, vision, streaming } = models.find((known) => known.id === model) ?? {};
    const figures = { contextWindow, price, vision, streaming };
    change.mutate(
      { id, change: { models: withFigures(models, modelRows(provider, undefined), model, figures) } },
      { onError: (error) => showToast({ title: errorMessage(error), tone: "error" }) },
    );
  };
  return (
    <li className="break-words">
      <span className="font-mono text-text">{model}</span> takes {formatCount(contextWindow)} tokens, as it said: “
      {words}” {isSet ? "This is its window here." : null}
      {!isSet && source === "database" ? (
        <Button size="sm" variant="ghost" isPending={change.isPending} onPress={use}>
          Make it the window of {model}
        </Button>
      ) : null}
    </li>
  );
}
