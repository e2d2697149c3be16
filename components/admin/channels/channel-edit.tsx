"use client";
import { useQuery } from "@tanstack/react-query";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { CHANNELS_KEY, updateChannel } from "@/lib/client/channels/channel-queries";
import { useForm } from "@/lib/client/forms/use-form";
import { showToast } from "@/lib/client/ui/toast-store";
import { type Channel, UpdateChannelBody } from "@/lib/schema/channels/channel";

const ChannelBody = UpdateChannelBody.pick({ name: true, agentId: true }).required();

/** The name of a channel and the agent with which new chats begin. */
export function ChannelEdit({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const form = useForm({
    subject: `channel-name ${channel.id}`,
    schema: ChannelBody,
    initial: { name: channel.name, agentId: channel.agentId },
    save: (body) => updateChannel(channel.id, body),
    invalidates: [CHANNELS_KEY],
    onSaved: ({ name }) => {
      showToast({ title: `Saved ${name}` });
      onClose();
    },
  });
  const agents = useQuery(agentListQuery);
  const known = (agents.data ?? []).map(({ id, name }) => ({ id, name, description: id }));
  const current = { id: channel.agentId, name: channel.agentName ?? channel.agentId };
  return (
    <FormDialog form={form} title={`Edit ${channel.name}`} submitLabel="Save" onClose={onClose}>
      <Field of={form} name="name" label="Name" autoFocus />
      <SelectField
        of={form}
        name="agentId"
        label="Agent that answers"
        options={known.some(({ id }) => id === channel.agentId) ? known : [current, ...known]}
      />
      <p className="text-xs text-muted">
        It answers in chats that are linked from now on. A linked chat keeps its agent, which its person can change.
      </p>
    </FormDialog>
  );
}
