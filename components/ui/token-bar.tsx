import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";

interface BarPart {
  id: string;
  label: string;
  value: number;
  /** Background class: `bg-kind-model`. */
  look: string;
}

/** Parts of a whole in one line. */
function StackedBar({ parts, label }: { parts: readonly BarPart[]; label: string }) {
  const sum = Math.max(
    1,
    parts.reduce((all, part) => all + part.value, 0),
  );
  return (
    <div role="img" aria-label={label} className="flex h-2 gap-px overflow-hidden rounded-xs bg-default">
      {parts
        .filter((part) => part.value > 0)
        .map((part) => (
          <span
            key={part.id}
            title={`${part.label}: ${formatCount(part.value)}`}
            className={classNames("min-w-px", part.look)}
            style={{ width: `${(part.value / sum) * 100}%` }}
          />
        ))}
    </div>
  );
}

export interface TokenBarProps {
  cachedTokens: number;
  newInputTokens: number;
  /** Null if the model did not say. */
  outputTokens: number | null;
  hasLegend?: boolean;
  /** The model does not count its tokens (D-84). */
  isEstimated?: boolean | undefined;
}

/** Cached pale, new full, output ink. */
export function TokenBar({ cachedTokens, newInputTokens, outputTokens, hasLegend = true, isEstimated }: TokenBarProps) {
  const words = [
    `${formatCount(cachedTokens)} cached`,
    `${formatCount(newInputTokens)} new input`,
    outputTokens === null ? "output unknown" : `${formatCount(outputTokens)} output`,
    ...(isEstimated ? ["estimated"] : []),
  ];
  return (
    <div>
      <StackedBar
        label={`Tokens: ${words.join(", ")}`}
        parts={[
          { id: "cached", label: "Cached", value: cachedTokens, look: "bg-kind-model/40" },
          { id: "new", label: "New input", value: newInputTokens, look: "bg-kind-model" },
          { id: "output", label: "Output", value: outputTokens ?? 0, look: "bg-foreground" },
        ]}
      />
      {hasLegend ? (
        <p aria-hidden="true" className="tnum mt-1 flex flex-wrap justify-between gap-x-3 text-xs text-muted">
          {words.map((word) => (
            <span key={word}>{word}</span>
          ))}
        </p>
      ) : null}
    </div>
  );
}
