"use client";
import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { z } from "zod";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { agentVersionsQuery } from "@/lib/client/agents/agent-queries";
import { nameAgentVersion, removeVersionName } from "@/lib/client/agents/draft/draft-queries";
import { useForm } from "@/lib/client/forms/use-form";
import { useAction } from "@/lib/client/ui/use-action";
import type { AgentVersionSummary } from "@/lib/schema/agents/agent-api";
import { AliasName } from "@/lib/schema/agents/agent-version";

export interface NameVersionDialogProps {
  agentId: string;
  version: Pick<AgentVersionSummary, "number" | "aliases">;
  onClose: () => void;
}

const NameForm = z.object({ name: z.string().trim().pipe(AliasName) });

/** Names by which scripts and keys request a version, such as `agent@prod`. A reload keeps what was typed. */
export function NameVersionDialog({ agentId, version, onClose }: NameVersionDialogProps) {
  const queryClient = useQueryClient();
  const { queryKey } = agentVersionsQuery(agentId);
  const form = useForm({
    subject: `version-name ${agentId} ${version.number}`,
    schema: NameForm,
    initial: { name: "" },
    save: ({ name }) => nameAgentVersion(agentId, name, version.number),
    invalidates: [queryKey],
    onSaved: onClose,
  });
  const remove = useAction({
    mutationFn: (old: string) => removeVersionName(agentId, old),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
  const name = form.values.name.trim();
  return (
    <FormDialog form={form} title={`Name v${version.number}`} size="sm" submitLabel="Save name" onClose={onClose}>
      <Field
        of={form}
        name="name"
        label="Name"
        description={`Calls reach it as ${agentId}@${name === "" ? "name" : name}. A name that another version has moves here.`}
        placeholder="prod"
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
