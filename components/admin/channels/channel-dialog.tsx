"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Segments } from "@/components/ui/controls/segments";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { type ChannelForm, EMPTY_CHANNEL, toCreateBody, toReplacement } from "@/lib/client/channels/channel-form";
import { CHANNELS_KEY, createChannel, testChannel, updateChannel } from "@/lib/client/channels/channel-queries";
import { CHANNEL_NAMES } from "@/lib/client/channels/channel-words";
import { ApiError } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Channel } from "@/lib/schema/channels/channel";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";

const KINDS = ChannelKind.options.map((id) => ({ id, name: CHANNEL_NAMES[id] }));
const RECEIVE = [
  { id: "polling", name: "Long polling: works behind a firewall" },
  { id: "webhook", name: "Webhook: Telegram calls this installation" },
] as const;

interface FieldsProps {
  form: ChannelForm;
  set: (change: Partial<ChannelForm>) => void;
  problem: (...fields: string[]) => { isInvalid: boolean; errorMessage?: string };
}

/** Adds a bot, or replaces its credentials; both are tested at once. */
export function ChannelDialog({ channel, onClose }: { channel: Channel | null; onClose: () => void }) {
  const [form, setForm] = useState<ChannelForm>({ ...EMPTY_CHANNEL, kind: channel?.kind ?? EMPTY_CHANNEL.kind });
  const set = (change: Partial<ChannelForm>) => setForm((now) => ({ ...now, ...change }));
  const save = useSave(channel, onClose);
  const problems: ReadonlyMap<string, string> = save.error instanceof ApiError ? save.error.problems : new Map();
  const problem = (...fields: string[]) => {
    const found = fields.flatMap((field) => problems.get(field) ?? problems.get(`credentials.${field}`) ?? [])[0];
    return found === undefined ? { isInvalid: false } : { isInvalid: true, errorMessage: found };
  };
  const agents = useQuery(agentListQuery);
  const fields = { form, set, problem };
  return (
    <FormDialog
      title={channel === null ? "Add bot" : `Replace the credentials of ${channel.name}`}
      size="md"
      submitLabel={channel === null ? "Add and test" : "Replace and test"}
      isPending={save.isPending}
      error={problems.size > 0 ? undefined : save.error}
      onSubmit={() => save.mutate(form)}
      onClose={onClose}
    >
      {channel === null ? (
        <>
          <Segments
            label="Kind"
            isFull
            options={KINDS}
            value={form.kind}
            onChange={(kind) => set({ kind: ChannelKind.parse(kind) })}
          />
          <TextField label="Name" value={form.name} onChange={(name) => set({ name })} autoFocus {...problem("name")} />
          <Select
            label="Agent that answers"
            options={(agents.data ?? []).map(({ id, name }) => ({ id, name, description: id }))}
            isDisabled={agents.data === undefined}
            value={form.agentId}
            placeholder="Choose an agent"
            onChange={(agentId) => set({ agentId })}
            {...problem("agentId")}
          />
        </>
      ) : null}
      {form.kind === "telegram" ? <TelegramFields {...fields} /> : null}
      {form.kind === "slack" ? <SlackFields {...fields} /> : null}
      {form.kind === "email" ? <EmailFields {...fields} /> : null}
      {channel === null && form.kind !== "email" ? (
        <TextField
          label="Address of the service, if it is not the usual one"
          value={form.apiRoot}
          onChange={(apiRoot) => set({ apiRoot })}
          description="A private address must be listed in RINGMASTER_ALLOWED_PRIVATE_HOSTS."
          {...problem("apiRoot")}
        />
      ) : null}
    </FormDialog>
  );
}

function useSave(channel: Channel | null, onClose: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (form: ChannelForm) => {
      const { id } =
        channel === null
          ? await createChannel(toCreateBody(form))
          : await updateChannel(channel.id, toReplacement(form));
      return testChannel(id);
    },
    onSuccess: ({ ok, username, error }) => {
      showToast(
        ok ? { title: `Connected. It is ${username}.` } : { title: `Saved, not connected. ${error}`, tone: "error" },
      );
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

function TelegramFields({ form, set, problem }: FieldsProps) {
  return (
    <>
      <TextField
        label="Token"
        type="password"
        autoComplete="off"
        value={form.token}
        onChange={(token) => set({ token })}
        description="From BotFather. Stored encrypted and not shown again."
        {...problem("token")}
      />
      <Select
        label="How messages arrive"
        options={RECEIVE}
        value={form.receive}
        onChange={(receive) => set({ receive: receive === "webhook" ? "webhook" : "polling" })}
      />
    </>
  );
}

function SlackFields({ form, set, problem }: FieldsProps) {
  return (
    <>
      <TextField
        label="Bot token"
        type="password"
        autoComplete="off"
        value={form.token}
        onChange={(token) => set({ token })}
        description="Starts with xoxb-."
        {...problem("token")}
      />
      <TextField
        label="App token, for Socket Mode"
        type="password"
        autoComplete="off"
        value={form.appToken}
        onChange={(appToken) => set({ appToken })}
        description="Starts with xapp-. Works behind a firewall."
        {...problem("appToken")}
      />
      <TextField
        label="Signing secret, for events"
        type="password"
        autoComplete="off"
        value={form.signingSecret}
        onChange={(signingSecret) => set({ signingSecret })}
        description="Then Slack posts to the address that the bot’s card shows."
        {...problem("signingSecret")}
      />
    </>
  );
}

function EmailFields({ form, set, problem }: FieldsProps) {
  return (
    <>
      <TextField
        label="Address"
        value={form.address}
        onChange={(address) => set({ address })}
        description="People write to it, and answers come from it."
        {...problem("address")}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <TextField
          label="IMAP server"
          value={form.imapHost}
          placeholder="imap.example.org"
          description="Port 993 with TLS; add :143 for STARTTLS."
          onChange={(imapHost) => set({ imapHost })}
          {...problem("imap.host", "imap.port")}
        />
        <TextField
          label="SMTP server"
          value={form.smtpHost}
          placeholder="smtp.example.org"
          description="Port 465 with TLS; add :587 for STARTTLS."
          onChange={(smtpHost) => set({ smtpHost })}
          {...problem("smtp.host", "smtp.port")}
        />
        <TextField
          label="User, if different from the address"
          value={form.user}
          onChange={(user) => set({ user })}
          {...problem("imap.user", "smtp.user")}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="off"
          value={form.password}
          onChange={(password) => set({ password })}
          {...problem("imap.password", "smtp.password")}
        />
      </div>
      <TextField
        label="Server that checks senders (authserv-id)"
        value={form.authservId}
        placeholder="mx.example.org"
        onChange={(authservId) => set({ authservId })}
        description="Mail counts when this server’s Authentication-Results say dmarc=pass."
        {...problem("authservId")}
      />
    </>
  );
}
