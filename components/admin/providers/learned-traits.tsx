import type { Provider } from "@/lib/schema/provider";

/** What the provider's own refusals have taught about how its models want requests. */
export function LearnedTraits({ provider: { learned = [], refusals } }: { provider: Provider }) {
  const tools = refusals?.tools ?? [];
  if (learned.length + tools.length === 0) return null;
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
