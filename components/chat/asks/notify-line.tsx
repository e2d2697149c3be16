"use client";
import { Button } from "@/components/ui/controls/button";
import { useMakesOffer, useNotifyOffer } from "@/lib/client/notifications/use-notify-offer";

/** On the first waiting card: the offer to be notified the next time; gone once it is taken or dismissed. */
export function NotifyLine() {
  return useMakesOffer() ? <Offer /> : null;
}

function Offer() {
  const { isReady, isPending, accept, dismiss } = useNotifyOffer();
  if (!isReady) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-separator px-3 py-1.5 text-xs text-muted">
      <span className="min-w-0 flex-1">This browser can tell you when something waits for you.</span>
      <Button variant="ghost" onPress={dismiss}>
        Not now
      </Button>
      <Button isPending={isPending} onPress={accept}>
        Notify me
      </Button>
    </p>
  );
}
