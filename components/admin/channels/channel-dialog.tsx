"use client";
import { useQuery } from "@tanstack/react-query";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SegmentsField } from "@/components/ui/form/segments-field";
import { SelectField } from "@/components/ui/form/select-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import {
  type ChannelForm,
  channelField,
  EMPTY_CHANNEL,
  NewChannel,
  NewCredentials,
} from "@/lib/client/channels/channel-form";
import { CHANNEL_NAMES } from "@/lib/client/channels/channel-labels";
import { CHANNELS_KEY, createChannel, testChannel, updateChannel } from "@/lib/client/channels/channel-queries";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Channel, CreateChannelBody, UpdateChannelBody } from "@/lib/schema/channels/channel";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";

const KINDS = ChannelKind.options.map((id) => ({ id, name: CHANNEL_NAMES[id] }));
const RECEIVE = [
  { id: "polling", name: "Long polling: works behind a firewall" },
  { id: "webhook", name: "Webhook: Telegram calls this installation" },
] as const;

/** Adds a bot, or replaces its credentials; both are tested at once. A reload keeps what was typed, without secrets. */
export function ChannelDialog({ channel, onClose }: { channel: Channel | null; onClose: () => void }) {
  const form = useForm({
    subject: `channel ${channel?.id ?? "new"}`,
    schema: channel === null ? NewChannel : NewCredentials,
    fieldOf: channelField,
    initial: { ...EMPTY_CHANNEL, kind: channel?.kind ?? EMPTY_CHANNEL.kind },
    save: async (body: CreateChannelBody | UpdateChannelBody) => {
      const { id } = "kind" in body ? await createChannel(body) : await updateChannel(channel?.id ?? "", body);
      return testChannel(id);
    },
    invalidates: [CHANNELS_KEY],
    onSaved: ({ ok, username, error }) => {
      showToast(
        ok ? { title: `Connected. It is ${username}.` } : { title: `Saved, not connected. ${error}`, tone: "error" },
      );
      onClose();
    },
  });
  const agents = useQuery(agentListQuery);
  const { kind } = form.values;
  return (
    <FormDialog
      form={form}
      title={channel === null ? "Add bot" : `Replace the credentials of ${channel.name}`}
      size="md"
      submitLabel={channel === null ? "Add and test" : "Replace and test"}
      onClose={onClose}
    >
      {channel === null ? (
        <>
          <SegmentsField of={form} name="kind" label="Kind" isFull options={KINDS} />
          <Field of={form} name="name" label="Name" autoFocus />
          <SelectField
            of={form}
            name="agentId"
            label="Agent that answers"
            options={agents.data?.map(({ id, name }) => ({ id, name, description: id }))}
            placeholder="Choose an agent"
          />
        </>
      ) : null}
      {kind === "telegram" ? <TelegramFields form={form} /> : null}
      {kind === "slack" ? <SlackFields form={form} /> : null}
      {kind === "email" ? <EmailFields form={form} /> : null}
      {channel === null && kind !== "email" ? (
        <Field
          of={form}
          name="apiRoot"
          label="Address of the service, if it is not the usual one"
          description="A private address must be listed in RINGMASTER_ALLOWED_PRIVATE_HOSTS."
        />
      ) : null}
    </FormDialog>
  );
}

interface FieldsProps {
  form: Form<ChannelForm>;
}

function TelegramFields({ form }: FieldsProps) {
  return (
    <>
      <Field of={form} name="token" label="Token" description="From BotFather. Stored encrypted and not shown again." />
      <SelectField of={form} name="receive" label="How messages arrive" options={RECEIVE} />
    </>
  );
}

function SlackFields({ form }: FieldsProps) {
  return (
    <>
      <Field of={form} name="token" label="Bot token" description="Starts with xoxb-." />
      <Field
        of={form}
        name="appToken"
        label="App token, for Socket Mode"
        description="Starts with xapp-. Works behind a firewall."
      />
      <Field
        of={form}
        name="signingSecret"
        label="Signing secret, for events"
        description="Then Slack posts to the address that the bot’s card shows."
      />
    </>
  );
}

function EmailFields({ form }: FieldsProps) {
  return (
    <>
      <Field of={form} name="address" label="Address" description="People write to it, and answers come from it." />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field
          of={form}
          name="imapHost"
          label="IMAP server"
          placeholder="imap.example.org"
          description="Port 993 with TLS; add :143 for STARTTLS."
        />
        <Field
          of={form}
          name="smtpHost"
          label="SMTP server"
          placeholder="smtp.example.org"
          description="Port 465 with TLS; add :587 for STARTTLS."
        />
        <Field of={form} name="user" label="User, if different from the address" />
        <Field of={form} name="password" label="Password" />
      </div>
      <Field
        of={form}
        name="authservId"
        label="Server that checks senders (authserv-id)"
        placeholder="mx.example.org"
        description="Mail counts when this server’s Authentication-Results say dmarc=pass."
      />
    </>
  );
}
