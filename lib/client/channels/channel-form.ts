import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { CreateChannelBody, UpdateChannelBody } from "@/lib/schema/channels/channel";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import { secret } from "@/lib/schema/new-secret";

/** The dialog's fields; only those of the chosen kind are sent. */
const ChannelForm = z.object({
  kind: ChannelKind,
  name: z.string(),
  agentId: z.string(),
  token: z.string(),
  receive: z.enum(["polling", "webhook"]),
  appToken: z.string(),
  signingSecret: z.string(),
  address: z.string(),
  user: z.string(),
  password: secret(z.string()),
  imapHost: z.string(),
  smtpHost: z.string(),
  authservId: z.string(),
  apiRoot: z.string(),
});
export type ChannelForm = z.input<typeof ChannelForm>;

export const EMPTY_CHANNEL: ChannelForm = {
  kind: "telegram",
  name: "",
  agentId: "",
  token: "",
  receive: "polling",
  appToken: "",
  signingSecret: "",
  address: "",
  user: "",
  password: "",
  imapHost: "",
  smtpHost: "",
  authservId: "",
  apiRoot: "",
};

export const NewChannel = formSchema(
  ChannelForm.extend({ agentId: z.string().min(1, "Choose an agent.") }),
  toCreateBody,
  CreateChannelBody,
);
export const NewCredentials = formSchema(
  ChannelForm,
  (form) => ({ credentials: credentialsOf(form) }),
  UpdateChannelBody,
);

const FIELDS: Readonly<Record<string, keyof ChannelForm>> = {
  "imap.host": "imapHost",
  "imap.port": "imapHost",
  "imap.user": "user",
  "imap.password": "password",
  "smtp.host": "smtpHost",
  "smtp.port": "smtpHost",
  "smtp.user": "user",
  "smtp.password": "password",
};

/** Both servers of a mailbox have one user and one password here. */
export function channelField(path: string): string {
  const own = path.replace(/^credentials\./, "");
  return FIELDS[own] ?? own;
}

/** The implicit-TLS port, and those that start in plain text and upgrade (STARTTLS). */
const IMAP = { tls: 993, startTls: [143] };
const SMTP = { tls: 465, startTls: [25, 587] };

function credentialsOf(form: ChannelForm) {
  const { token, appToken, signingSecret, address, user, password, imapHost, smtpHost, authservId } = form;
  switch (form.kind) {
    case "telegram":
      return { kind: "telegram", token: token.trim(), receive: form.receive } as const;
    case "slack":
      return {
        kind: "slack",
        token: token.trim(),
        ...(appToken.trim() === "" ? {} : { appToken: appToken.trim() }),
        ...(signingSecret.trim() === "" ? {} : { signingSecret: signingSecret.trim() }),
      } as const;
    default: {
      const login = { user: user.trim() || address.trim(), password };
      return {
        kind: "email",
        address: address.trim(),
        imap: { ...serverOf(imapHost, IMAP), ...login },
        smtp: { ...serverOf(smtpHost, SMTP), ...login },
        authservId: authservId.trim(),
      } as const;
    }
  }
}

/** `imap.example.org`, or with a port `imap.example.org:143`. */
function serverOf(typed: string, { tls, startTls }: { readonly tls: number; readonly startTls: readonly number[] }) {
  const port = Number(/:(\d+)$/.exec(typed.trim())?.[1] ?? tls);
  return { host: typed.trim().replace(/:\d+$/, ""), port, secure: !startTls.includes(port) };
}

export function toCreateBody(form: ChannelForm): z.input<typeof CreateChannelBody> {
  const root = form.apiRoot.trim().replace(/\/$/, "");
  const place = form.kind === "email" || root === "" ? {} : { apiRoot: root };
  return { ...credentialsOf(form), name: form.name.trim(), agentId: form.agentId, ...place };
}
