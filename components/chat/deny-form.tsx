"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";

export interface DenyFormProps {
  label: string;
  isBusy: boolean;
  onDeny: (reason: string) => void;
  onCancel: () => void;
}

/** A reason is welcome and not needed. Enter denies, Escape goes back. */
export function DenyForm({ label, isBusy, onDeny, onCancel }: DenyFormProps) {
  const [reason, setReason] = useState("");
  return (
    <form
      className="flex flex-col gap-2 px-3 pt-2.5 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
    >
      <TextField
        label={label}
        placeholder="Optional"
        value={reason}
        onChange={setReason}
        maxLength={10_000}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
        }}
      />
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onPress={onCancel}>
          Back
        </Button>
        <Button type="submit" variant="danger-ghost" isDisabled={isBusy}>
          Deny
        </Button>
      </div>
    </form>
  );
}
