"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { z } from "zod";
import { IconButton } from "@/components/ui/controls/icon-button";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentVersionsQuery } from "@/lib/client/agents/agent-queries";
import { nameAgentVersion, removeVersionName } from "@/lib/client/agents/draft/draft-queries";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { AgentVersionSummary } from "@/lib/schema/agents/agent-api";

export interface NameVersionDialogProps {
  agentId: string;
  version: Pick<AgentVersionSummary, "number" | "aliases">;
  onClose: () => void;
}

const KeptName = z.string();

/** Names by which scripts and keys request a version, such as `agent@prod`. A reload keeps what was typed. */
export function NameVersionDialog({ agentId, version, onClose }: NameVersionDialogProps) {
  const queryClient = useQueryClient();
  const kept = useRemembered(`version-name ${agentId} ${version.number}`, KeptName);
  const name = kept.value ?? "";
  const close = () => {
    kept.forget();
    onClose();
  };
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: agentVersionsQuery(agentId).queryKey });
  const save = useMutation({
    mutationFn: () => nameAgentVersion(agentId, name.trim(), version.number),
    onSuccess: async () => {
      await onSuccess();
      close();
    },
  });
  const remove = useMutation({ mutationFn: (old: string) => removeVersionName(agentId, old), onSuccess });
  return (
    <FormDialog
      title={`Name v${version.number}`}
      size="sm"
      submitLabel="Save name"
      isValid={name.trim() !== ""}
      isPending={save.isPending}
      error={save.error ?? remove.error}
      onSubmit={() => save.mutate()}
      onClose={close}
    >
      <TextField
        label="Name"
        description={`Calls reach it as ${agentId}@${name.trim() === "" ? "name" : name.trim()}. A name that another version has moves here.`}
        placeholder="prod"
        value={name}
        onChange={kept.set}
        mono
        autoFocus
      />
      {version.aliases.length === 0 ? null : (
        <ul aria-label="Names it has" className="rounded-lg border border-border">
          {version.aliases.map((alias) => (
            <li
              key={alias}
              className="flex h-9 items-center justify-between border-b border-separator pr-1 pl-3 font-mono text-xs last:border-b-0"
            >
              @{alias}
              <IconButton label={`Remove @${alias}`} size="xs" onPress={() => remove.mutate(alias)}>
                <X />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}
