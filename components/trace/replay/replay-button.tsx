"use client";
import { RotateCcw } from "lucide-react";
import { parseAsInteger, useQueryState } from "nuqs";
import { lazy, Suspense } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

const ReplayDialog = lazy(async () => ({
  default: (await loadWithRetry(() => import("./replay-dialog"))).ReplayDialog,
}));

/** The step from which a replay is being prepared, in the URL. */
export function useReplayStep() {
  return useQueryState("replay", parseAsInteger.withOptions({ history: "replace" }));
}

/** In the head of a trace; the dialog that it and the steps open. */
export function TraceReplay({ runId }: { runId: string }) {
  const [step, setStep] = useReplayStep();
  return (
    <>
      <Button variant="ghost" onPress={() => void setStep(1)} className="max-sm:hidden">
        <RotateCcw aria-hidden />
        Replay
      </Button>
      {step === null ? null : (
        <Suspense>
          <ReplayDialog runId={runId} fromStep={step} onClose={() => void setStep(null)} />
        </Suspense>
      )}
    </>
  );
}

/** At a model call: the run again from this step on. */
export function ReplayFromHere({ step }: { step: number }) {
  const [, setStep] = useReplayStep();
  return (
    <IconButton label={`Replay from step ${step}`} onPress={() => void setStep(step)}>
      <RotateCcw />
    </IconButton>
  );
}
