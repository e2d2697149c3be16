"use client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/controls/button";
import { type ContextMoment, contextQuery } from "@/lib/client/chat/context/context-queries";
import { fillLabel } from "@/lib/client/chat/context/context-summary";
import { classNames } from "@/lib/client/ui/class-names";
import { FillRing } from "./fill-ring";

export interface ContextRingProps {
  moment: ContextMoment;
  /** Shows the section of the side panel. */
  onOpen: () => void;
}

const LOOKS = { "nearly full": "text-limit-text", "over the window": "text-fail-text" };

/** The window's fill, in the composer; nothing while unknown. */
export function ContextRing({ moment, onOpen }: ContextRingProps) {
  const { data } = useQuery(contextQuery(moment));
  if (data === undefined) return null;
  const { short, rest, share, warning } = fillLabel(data);
  return (
    <Button
      variant="ghost"
      onPress={onOpen}
      aria-label={`Context: ${short}${rest}${warning === null ? "" : `, ${warning}`}`}
      title={`${short}${rest}${warning === null ? "" : `, ${warning}`}`}
      className={classNames("tnum gap-1.5! px-2! font-normal!", warning === null ? "text-muted!" : LOOKS[warning])}
    >
      <FillRing share={share} />
      <span className="min-w-9 text-left">{short}</span>
    </Button>
  );
}
