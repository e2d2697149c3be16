import { classNames } from "@/lib/client/class-names";
import { formatCount } from "@/lib/client/format";

export interface BarPart {
  id: string;
  label: string;
  value: number;
  /** Background class: `bg-kind-model`. */
  look: string;
}

/** Parts of a whole in one line; `total` larger than their sum leaves the rest empty. */
export function StackedBar({
  parts,
  total,
  tick,
  label,
}: {
  parts: readonly BarPart[];
  total?: number;
  tick?: number;
  label: string;
}) {
  const sum = Math.max(1, total ?? parts.reduce((all, part) => all + part.value, 0));
  return (
    <div role="img" aria-label={label} className="relative flex h-2 gap-px overflow-hidden rounded-xs bg-default">
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
      {tick === undefined ? null : (
        <span className="absolute inset-y-0 w-px bg-foreground" style={{ left: `${(tick / sum) * 100}%` }} />
      )}
    </div>
  );
}

export interface TokenBarProps {
  cachedTokens: number;
  newInputTokens: number;
  outputTokens: number;
  hasLegend?: boolean;
}

/** Cached pale, new full, output ink. */
export function TokenBar({ cachedTokens, newInputTokens, outputTokens, hasLegend = true }: TokenBarProps) {
  const words = [
    `${formatCount(cachedTokens)} cached`,
    `${formatCount(newInputTokens)} new input`,
    `${formatCount(outputTokens)} output`,
  ];
  return (
    <div>
      <StackedBar
        label={`Tokens: ${words.join(", ")}`}
        parts={[
          { id: "cached", label: "Cached", value: cachedTokens, look: "bg-kind-model/40" },
          { id: "new", label: "New input", value: newInputTokens, look: "bg-kind-model" },
          { id: "output", label: "Output", value: outputTokens, look: "bg-foreground" },
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

/** A ring again: how full the window is. */
export function ContextMeter({ usedTokens, windowTokens }: { usedTokens: number; windowTokens: number }) {
  const share = windowTokens > 0 ? Math.min(1, usedTokens / windowTokens) : 0;
  const circumference = 2 * Math.PI * 5.5;
  return (
    <span
      className="tnum flex items-center gap-1.5 text-xs text-muted"
      title={`${formatCount(usedTokens)} of ${formatCount(windowTokens)} tokens`}
    >
      <svg width="14" height="14" viewBox="0 0 14 14" fill="none" strokeWidth="2" aria-hidden="true">
        <circle cx="7" cy="7" r="5.5" stroke="var(--surface-tertiary)" />
        <circle
          cx="7"
          cy="7"
          r="5.5"
          stroke="var(--foreground)"
          strokeDasharray={`${share * circumference} 40`}
          transform="rotate(-90 7 7)"
        />
      </svg>
      {Math.round(share * 100)}%
    </span>
  );
}
