"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Select } from "@/components/ui/controls/select";
import { FIELD_LABEL, TextField } from "@/components/ui/controls/text-field";
import { Dialog } from "@/components/ui/overlays/dialog";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { apiKeysQuery, createApiKey } from "@/lib/client/users/user-queries";
import type { Scope } from "@/lib/schema/users/user";

const SCOPE_WORDS: Record<Scope, string> = {
  read: "Read: look at threads, runs and traces",
  chat: "Chat: start and cancel runs, upload files",
  admin: "Admin: everything your role allows",
};

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { id: "30", name: "In 30 days" },
  { id: "90", name: "In 90 days" },
  { id: "365", name: "In a year" },
  { id: "never", name: "Never" },
];

/** Creates a key and shows it, this once. */
export function AddKeyDialog({ scopes, onClose }: { scopes: readonly Scope[]; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes.filter((scope) => scope !== "admin"));
  const [expiry, setExpiry] = useState("90");
  const create = useMutation({
    mutationFn: () =>
      createApiKey({
        name,
        scopes: [...chosen],
        expiresAt: expiry === "never" ? null : new Date(serverNowMs() + Number(expiry) * DAY_MS).toISOString(),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
  if (create.data) return <NewKey apiKey={create.data.key} onClose={onClose} />;
  return (
    <FormDialog
      title="Create an API key"
      size="sm"
      submitLabel="Create key"
      isValid={name.trim() !== "" && chosen.length > 0}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Which program uses it" value={name} onChange={setName} autoFocus />
      <ScopeGroup scopes={scopes} chosen={chosen} onChange={setChosen} />
      <Select label="Expires" options={EXPIRIES} value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}

interface ScopeGroupProps {
  scopes: readonly Scope[];
  chosen: readonly Scope[];
  onChange: (chosen: readonly Scope[]) => void;
}

function ScopeGroup({ scopes, chosen, onChange }: ScopeGroupProps) {
  return (
    <CheckboxGroup
      value={[...chosen]}
      onChange={(values) => onChange(scopes.filter((scope) => values.includes(scope)))}
      className="flex flex-col gap-0.5"
    >
      <Label className={FIELD_LABEL}>What it may do</Label>
      {scopes.map((scope) => (
        <Checkbox key={scope} value={scope} className="flex h-7 items-center gap-2 text-sm touch-row">
          {({ isSelected, isFocusVisible }) => (
            <>
              <span
                aria-hidden="true"
                className={`flex size-3.5 items-center justify-center rounded-xs border text-2xs leading-none ${
                  isSelected ? "border-accent bg-accent text-accent-foreground" : "border-border-strong"
                } ${isFocusVisible ? "ring-2 ring-focus ring-offset-1" : ""}`}
              >
                {isSelected ? "✓" : ""}
              </span>
              {SCOPE_WORDS[scope]}
            </>
          )}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}

function NewKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Dialog
      title="Copy the key now"
      isOpen
      stays
      onClose={onClose}
      size="sm"
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <p className="text-sm text-muted">It is shown only once. Anyone who has it can act as you, within its scopes.</p>
      <div className="mt-3 flex items-center gap-2 rounded-md border border-border bg-code py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-xs break-all">{apiKey}</code>
        <CopyButton text={apiKey} label="Copy the key" size="sm" />
      </div>
    </Dialog>
  );
}
