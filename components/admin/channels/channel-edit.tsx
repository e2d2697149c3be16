"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { CHANNELS_KEY, updateChannel } from "@/lib/client/channels/channel-queries";
import { ApiError } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Channel } from "@/lib/schema/channels/channel";

/** The name of a channel and the agent with which new chats begin. */
export function ChannelEdit({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [name, setName] = useState(channel.name);
  const [agentId, setAgentId] = useState(channel.agentId);
  const agents = useQuery(agentListQuery);
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => updateChannel(channel.id, { name, agentId }),
    onSuccess: () => {
      showToast({ title: `Saved ${name.trim()}` });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
  const problems: ReadonlyMap<string, string> = save.error instanceof ApiError ? save.error.problems : new Map();
  const problem = (field: string) => ({ isInvalid: problems.has(field), errorMessage: problems.get(field) });
  const known = (agents.data ?? []).map(({ id, name: agentName }) => ({ id, name: agentName, description: id }));
  const current = { id: channel.agentId, name: channel.agentName ?? channel.agentId };
  return (
    <FormDialog
      title={`Edit ${channel.name}`}
      submitLabel="Save"
      isPending={save.isPending}
      error={problems.size > 0 ? undefined : save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus {...problem("name")} />
      <Select
        label="Agent that answers"
        options={known.some(({ id }) => id === channel.agentId) ? known : [current, ...known]}
        value={agentId}
        onChange={setAgentId}
        {...problem("agentId")}
      />
      <p className="text-xs text-muted">
        It answers in chats that are linked from now on. A linked chat keeps its agent, which its person can change.
      </p>
    </FormDialog>
  );
}
