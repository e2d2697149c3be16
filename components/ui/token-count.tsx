import { formatCount, formatTokens } from "@/lib/client/ui/text/format";
import type { ShownUsage } from "@/lib/schema/runs/usage";

interface TokenCountProps {
  /** Null if the usage of any call is unknown. */
  tokens: number | null;
  usage: ShownUsage;
  /** "6.1k" instead of "6,123". */
  isShort?: boolean;
}

/** A number of tokens, marked if it is an estimate, or an en dash that says why it is unknown (D-84). */
export function TokenCount({ tokens, usage, isShort = false }: TokenCountProps) {
  if (tokens === null) return <UnknownTokens usage={usage} />;
  const words = isShort ? formatTokens(tokens) : formatCount(tokens);
  return usage.estimated && tokens > 0 ? <EstimatedTokens words={words} /> : words;
}

function EstimatedTokens({ words }: { words: string }) {
  return (
    <span title={ESTIMATED_TITLE}>
      <span aria-hidden>~{words}</span>
      <span className="sr-only">about {words}, estimated</span>
    </span>
  );
}

/** The note on an estimate. */
export const ESTIMATED_TITLE = "Estimated: the model does not count its tokens.";

function UnknownTokens({ usage }: { usage: ShownUsage }) {
  const title = unknownTokensTitle(usage);
  return (
    <span title={title}>
      <span aria-hidden>–</span>
      <span className="sr-only">unknown</span>
    </span>
  );
}

/** Why the tokens are unknown, and the known part. */
export function unknownTokensTitle({ knownUsage }: ShownUsage): string {
  const known = knownUsage === undefined ? 0 : knownUsage.inputTokens + knownUsage.outputTokens;
  const rest = known === 0 ? "" : ` The other calls used ${formatCount(known)} tokens.`;
  return `Unknown: a model call ended without reporting its usage.${rest}`;
}
