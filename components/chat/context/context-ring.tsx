"use client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/controls/button";
import { fillWords } from "@/lib/client/chat/context/context-facts";
import { type ContextMoment, contextQuery } from "@/lib/client/chat/context/context-queries";
import { classNames } from "@/lib/client/ui/class-names";

export interface ContextRingProps {
  moment: ContextMoment;
  /** Shows the section of the side panel. */
  onOpen: () => void;
}

const RADIUS = 5.4;
const AROUND = 2 * Math.PI * RADIUS;
const LOOKS = { "nearly full": "text-limit-text", "over the window": "text-fail-text" };

/** The window's fill, in the composer; nothing while unknown. */
export function ContextRing({ moment, onOpen }: ContextRingProps) {
  const { data } = useQuery(contextQuery(moment));
  if (data === undefined) return null;
  const { short, rest, share, warning } = fillWords(data);
  return (
    <Button
      variant="ghost"
      onPress={onOpen}
      aria-label={`Context: ${short}${rest}${warning === null ? "" : `, ${warning}`}`}
      className={classNames("tnum gap-1.5! px-2! font-normal!", warning === null ? "text-muted!" : LOOKS[warning])}
    >
      <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
        <circle cx="7" cy="7" r={RADIUS} opacity=".3" strokeDasharray={share === null ? "1.7 1.7" : undefined} />
        {share === null ? null : (
          <circle
            cx="7"
            cy="7"
            r={RADIUS}
            strokeDasharray={`${Math.min(1, share) * AROUND} ${AROUND}`}
            transform="rotate(-90 7 7)"
          />
        )}
      </svg>
      <span>
        {short}
        <span className="max-sm:hidden">{rest}</span>
        {warning === null ? null : <span className="font-medium max-sm:hidden">, {warning}</span>}
      </span>
    </Button>
  );
}
