"use client";
import type { ReactNode } from "react";
import { useNotLiveSince } from "@/components/shell/shell-context";
import { Kbd } from "@/components/ui/kbd";
import { Time } from "@/components/ui/time";
import { formatTime } from "@/lib/client/ui/text/format";

/** The keys, and whether what one sees is still how it is. Small screens show it only while it isn't. */
export function BoardFoot({ changedAt }: { changedAt: string }) {
  const notLiveSince = useNotLiveSince();
  const isLive = notLiveSince === null;
  return (
    <footer
      className={`flex min-h-9 shrink-0 items-center gap-4 border-t border-border px-4 text-xs text-muted ${isLive ? "max-lg:hidden" : ""}`}
    >
      <span className="flex items-center gap-4 max-lg:hidden">
        <KeyHint keys={["←", "→"]}>column</KeyHint>
        <KeyHint keys={["↑", "↓"]}>card</KeyHint>
        <KeyHint keys={["Enter"]}>opens its run</KeyHint>
        <KeyHint keys={["m"]}>moves it</KeyHint>
      </span>
      <span role="status" className={isLive ? "sr-only" : "ml-auto text-broken-text max-lg:mx-auto"}>
        {isLive ? "" : `Not live since ${formatTime(notLiveSince)}, trying again`}
      </span>
      {isLive ? (
        <span className="ml-auto">
          Live, changed <Time at={changedAt} isInSentence />
        </span>
      ) : null}
    </footer>
  );
}

function KeyHint({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      {children}
    </span>
  );
}
