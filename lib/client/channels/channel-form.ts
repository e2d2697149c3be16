import type { z } from "zod";
import type { CreateChannelBody, UpdateChannelBody } from "@/lib/schema/channels/channel";
import type { ChannelKind } from "@/lib/schema/channels/channel-credentials";

/** The dialog's fields; only those of the chosen kind are sent. */
export interface ChannelForm {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly agentId: string | null;
  readonly token: string;
  readonly receive: "polling" | "webhook";
  readonly appToken: string;
  readonly signingSecret: string;
  readonly address: string;
  readonly user: string;
  readonly password: string;
  readonly imapHost: string;
  readonly smtpHost: string;
  readonly authservId: string;
  readonly apiRoot: string;
}

export const EMPTY_CHANNEL: ChannelForm = {
  kind: "telegram",
  name: "",
  agentId: null,
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
  return { ...credentialsOf(form), name: form.name.trim(), agentId: form.agentId ?? "", ...place };
}

export function toReplacement(form: ChannelForm): z.input<typeof UpdateChannelBody> {
  return { credentials: credentialsOf(form) };
}
