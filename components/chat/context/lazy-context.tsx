"use client";
import { lazy, Suspense } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useIdle } from "@/lib/client/ui/use-idle";
import type { ContextRingProps } from "./context-ring";

const Ring = lazy(async () => ({ default: (await loadWithRetry(() => import("./context-ring"))).ContextRing }));

/** The composer's ring, loaded once the page is idle. Its room is kept, so that nothing moves when it is there. */
export function LazyContextRing(props: ContextRingProps) {
  const isIdle = useIdle();
  return (
    <span className="flex w-20 shrink-0 justify-end">
      {isIdle ? (
        <Suspense>
          <Ring {...props} />
        </Suspense>
      ) : null}
    </span>
  );
}
