"use client";
import { Undo2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { RunOfThread } from "@/lib/client/trace/undo/undo-queries";
import { formatExact } from "@/lib/client/ui/text/format";
import type { Trace } from "@/lib/schema/traces/trace";

const UndoDialog = lazy(async () => ({ default: (await loadWithRetry(() => import("./undo-dialog"))).UndoDialog }));

/** The dialog of a run, which `children` opens. */
export function WithUndo({ run, children }: { run: RunOfThread; children: (open: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {children(() => setOpen(true))}
      {isOpen ? (
        <Suspense>
          <UndoDialog run={run} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** In the head of a trace: Undo, or who has undone the run and when. */
export function TraceUndo({ trace: { runId, threadId, undone } }: { trace: Trace }) {
  if (undone !== undefined) {
    const words = `Undone by ${undone.by}, ${formatExact(Date.parse(undone.at))}`;
    return (
      <span title={words} className="tnum max-w-40 shrink-0 truncate px-1 text-xs text-muted max-lg:hidden">
        {words}
      </span>
    );
  }
  return (
    <WithUndo run={{ runId, threadId }}>
      {(open) => (
        <Button variant="ghost" onPress={open} className="max-sm:hidden">
          <Undo2 aria-hidden />
          Undo
        </Button>
      )}
    </WithUndo>
  );
}

/** Among the actions of a reply. */
export function ReplyUndo({ run }: { run: RunOfThread }) {
  return (
    <WithUndo run={run}>
      {(open) => (
        <IconButton excludeFromTabOrder label="Undo this run" onPress={open} className="[&>svg]:size-3.5">
          <Undo2 />
        </IconButton>
      )}
    </WithUndo>
  );
}
