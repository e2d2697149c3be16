"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { Dialog } from "@/components/ui/overlays/dialog";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { errorMessage } from "@/lib/client/http/api";
import { type RunOfThread, refreshUndone, undoPreviewQuery, undoRun } from "@/lib/client/trace/undo/undo-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { UndoPlan } from "./undo-plan";

export interface UndoDialogProps {
  run: RunOfThread;
  onClose: () => void;
}

/** What undoing a run would do, and the button that does it: nothing else is ever undone. */
export function UndoDialog({ run, onClose }: UndoDialogProps) {
  const queryClient = useQueryClient();
  const preview = useQuery(undoPreviewQuery(run.runId));
  const undo = useMutation({
    mutationFn: (token: string) => undoRun(run, token),
    onSuccess: async () => {
      await refreshUndone(queryClient, run);
      showToast({ title: "The run was undone" });
      onClose();
    },
  });
  const plan = preview.data;
  const canUndo = plan?.canUndo ?? false;
  const confirm = () => {
    if (plan && canUndo && !undo.isPending && undo.error === null) undo.mutate(plan.token);
  };
  useConfirmKeys(confirm);
  const lookAgain = () => {
    undo.reset();
    void preview.refetch();
  };
  const error = undo.error ?? preview.error;
  return (
    <Dialog
      title="Undo this run?"
      isOpen
      onClose={onClose}
      size="lg"
      actions={
        <>
          <p className="min-w-0 flex-1 self-center text-xs text-muted max-sm:hidden">
            The thread gets a line that says what came back and what could not.
          </p>
          <Button variant="ghost" autoFocus onPress={onClose}>
            Cancel <Kbd>Esc</Kbd>
          </Button>
          {error === null ? (
            <Button variant="primary" isDisabled={!canUndo} isPending={undo.isPending} onPress={confirm}>
              <Undo2 aria-hidden />
              Undo this run <Kbd>⌘↵</Kbd>
            </Button>
          ) : (
            <Button onPress={lookAgain}>Look again</Button>
          )}
        </>
      }
    >
      {error === null ? null : (
        <p role="alert" className="mb-3 text-sm text-fail-text">
          {errorMessage(error)}
        </p>
      )}
      {plan ? <UndoPlan plan={plan} /> : null}
      {plan === undefined && error === null ? <SkeletonList label="Looking what would go back" rows={5} /> : null}
    </Dialog>
  );
}

/** ⌘ or Ctrl with Enter, which would otherwise press the button that has the focus. */
function useConfirmKeys(confirm: () => void): void {
  const latest = useRef(confirm);
  useEffect(() => {
    latest.current = confirm;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
}
