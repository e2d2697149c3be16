"use client";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { onEscape } from "@/lib/client/ui/input/on-escape";
import { useRemembered } from "@/lib/client/ui/use-remembered";

const Reason = z.string();

export interface DenyFormProps {
  label: string;
  /** Identifies the call: an unfinished reason is kept while its card is not mounted. */
  memory: string;
  isBusy: boolean;
  /** Resolves to whether the server accepted it. */
  onDeny: (reason: string) => Promise<boolean>;
  onCancel: () => void;
}

/** The reason is optional. Enter denies, Escape goes back. */
export function DenyForm({ label, memory, isBusy, onDeny, onCancel }: DenyFormProps) {
  const kept = useRemembered(`reason ${memory}`, Reason);
  const reason = kept.value ?? "";
  const deny = async () => {
    if (await onDeny(reason.trim())) kept.forget();
  };
  const cancel = () => {
    kept.forget();
    onCancel();
  };
  return (
    <form
      className="flex flex-col gap-2 px-3 pt-2.5 pb-3"
      onKeyDown={onEscape(cancel)}
      onSubmit={(event) => {
        event.preventDefault();
        void deny();
      }}
    >
      <TextField label={label} placeholder="Optional" value={reason} onChange={kept.set} maxLength={10_000} autoFocus />
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onPress={cancel}>
          Back
        </Button>
        <Button type="submit" variant="danger-ghost" isDisabled={isBusy}>
          Deny
        </Button>
      </div>
    </form>
  );
}
