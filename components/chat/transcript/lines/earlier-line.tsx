import { Button } from "@/components/ui/controls/button";
import type { EarlierMessages } from "@/lib/client/chat/use-earlier-messages";

/**
 * Above the first loaded message. Scrolling up loads automatically; the button is for those who don't scroll. Its
 * height never changes, so nothing below it moves.
 */
export function EarlierLine({ state, count, load }: Pick<EarlierMessages, "state" | "count" | "load">) {
  if (state === "none") return null;
  return (
    <div className="flex h-12 items-start justify-center gap-2 text-xs text-muted">
      {state === "all" ? null : (
        <Button isPending={state === "loading"} onPress={load} className="order-last">
          {state === "failed"
            ? "Try again"
            : state === "loading"
              ? "Loading earlier messages"
              : "Show earlier messages"}
        </Button>
      )}
      <p role="status" className="leading-7">
        {state === "all" ? "The thread begins here." : null}
        {state === "failed" ? "Earlier messages could not be loaded." : null}
        {count > 0 && state !== "failed" ? (
          <span className="sr-only">{`${count} earlier messages are shown.`}</span>
        ) : null}
      </p>
    </div>
  );
}
