import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { SentMail, SmtpBody, StoredSmtp, TestMailBody } from "@/lib/schema/settings/settings";
import type { Viewer } from "@/lib/schema/users/user";
import { redactText } from "@/lib/server/platform/logger";
import { refuseKeptSecrets } from "@/lib/server/platform/secrets/secret-origin";
import { SecretUnreadable, SMTP_PURPOSE, secretBox } from "@/lib/server/platform/secrets/secrets";
import { currentSettings } from "./settings-state";

const TIMEOUT_MS = 10_000;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly messageId?: string;
  readonly inReplyTo?: string;
  readonly references?: string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: { filename: string; content: Buffer }[];
}

/** The server that mail is submitted to, with its credentials. */
export interface MailServer extends Omit<StoredSmtp, "sealed" | "from"> {
  readonly from: string | { readonly name: string; readonly address: string };
  readonly password: string | null;
}

/**
 * The mail server as stored. An omitted password is kept, but never sent to a server other than the one it was entered
 * for. Throws `invalid_input`.
 */
export function sealSmtp({ password, ...smtp }: SmtpBody, before: StoredSmtp | null): StoredSmtp {
  if (password !== undefined) {
    return { ...smtp, sealed: password === null ? null : secretBox().encrypt(password, SMTP_PURPOSE) };
  }
  const sealed = before?.sealed ?? null;
  const [from, to] = [before, smtp].map((server) => server && addressOf(server));
  refuseKeptSecrets([{ path: "smtp.password", isKept: sealed !== null, from: from ?? null, to: to ?? null }]);
  return { ...smtp, sealed };
}

/** Security is part of it, because a password must not be sent unencrypted; and so is the user that it belongs to. */
function addressOf({ security, user, host, port }: Omit<StoredSmtp, "sealed">): string {
  return JSON.stringify([security, user, host.toLowerCase(), port]);
}

/**
 * Sends through the mail server of the settings; the server's refusals are reported in its own words. Throws `conflict`
 * without a mail server.
 */
export async function sendMail(mail: Mail, smtp = currentSettings().smtp): Promise<SentMail> {
  if (smtp === null) {
    throw new AppError("conflict", "No mail server is set. An administrator can add one under Admin, Settings, Mail.");
  }
  return sendBySmtp(mail, { ...smtp, password: readPassword(smtp) });
}

/** Sends through the given server; its refusals are reported in its own words. */
export async function sendBySmtp(mail: Mail, { from, ...server }: MailServer): Promise<SentMail> {
  const startedAt = performance.now();
  const took = () => ({ to: mail.to, latencyMs: Math.round(performance.now() - startedAt) });
  try {
    const transport = await openTransport(server);
    const { response } = await transport.sendMail({ ...mail, from });
    return { ok: true, ...took(), answer: clean(response, server.password) };
  } catch (error) {
    return { ok: false, ...took(), error: clean(explain(error, server), server.password) };
  }
}

/** Null if the server accepts user and password; otherwise its message. Nothing is sent. */
export async function whySmtpFails(server: Omit<MailServer, "from">): Promise<string | null> {
  try {
    await (await openTransport(server)).verify();
    return null;
  } catch (error) {
    return clean(explain(error, server), server.password);
  }
}

/** The same for the server of the settings, with its stored password. Throws `conflict` if that can't be read. */
export function whyMailFails(smtp: StoredSmtp): Promise<string | null> {
  return whySmtpFails({ ...smtp, password: readPassword(smtp) });
}

async function openTransport({ host, port, security, user, password }: Omit<MailServer, "from">) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: 2 * TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === null ? {} : { auth: { user, pass: password ?? "" } }),
  });
}

/** Sends a mail saying that mail works; `smtp` may be settings not yet saved. */
export function sendTestMail({ to, smtp }: TestMailBody, viewer: Viewer): Promise<SentMail> {
  const { smtp: current, branding } = currentSettings();
  const text = `${branding.name} can send mail. ${viewer.name} tried it on the settings page.\n`;
  const mail = { to: to ?? viewer.email, subject: `${branding.name} can send mail`, text };
  return sendMail(mail, smtp ? sealSmtp(smtp, current) : current);
}

function readPassword({ sealed }: StoredSmtp): string | null {
  try {
    return sealed === null ? null : secretBox().decrypt(sealed, SMTP_PURPOSE);
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    const message =
      "The password of the mail server was encrypted with another secret. Enter it again under Admin, Settings, Mail.";
    throw new AppError("conflict", message, { cause: error });
  }
}

function explain(error: unknown, { host, port, security }: Omit<MailServer, "from">): string {
  const { code, message, response } = factsOf(error);
  const said = (response ?? opensslReason(message)).trim().replace(/\.$/, "");
  const place = `${host}:${port}`;
  if (code === "EAUTH") return `${host} refused user and password: ${said}. Enter them again.`;
  if (code === "EDNS" || /ENOTFOUND|EAI_AGAIN/.test(message)) return `${host} can't be found: ${said}. Check the host.`;
  if (code === "ETIMEDOUT") return `${place} did not answer as a mail server: ${said}. Check host, port and security.`;
  if (code === "EENVELOPE") return `${host} refused the sender or the address: ${said}. Check the sender.`;
  const isTls = code === "ETLS" || /SSL|TLS|certificate|wrong version/i.test(message);
  if (isTls) {
    const without = /wrong version/i.test(said) ? " It may speak without TLS there." : "";
    return `${place} did not agree on ${security === "tls" ? "TLS" : "STARTTLS"}: ${said}.${without} Check port and security.`;
  }
  if (code === "ECONNECTION" || code === "ESOCKET" || code === "ECONNREFUSED") {
    return `${place} takes no connection: ${said}. Check host and port.`;
  }
  return `${place} did not take the mail: ${said}. Check host, port and security, or ask who runs it.`;
}

/**
 * The readable reason in an OpenSSL error like `408D…:error:0A00010B:SSL routines:tls_…:wrong version
 * number:../deps/…:77:`.
 */
function opensslReason(message: string): string {
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}

function factsOf(error: unknown): { readonly code: string; readonly message: string; readonly response?: string } {
  if (!(error instanceof Error)) return { code: "", message: String(error) };
  const code = "code" in error ? String(error.code) : "";
  const response = "response" in error && typeof error.response === "string" ? error.response : undefined;
  return { code, message: error.message, ...(response === undefined ? {} : { response }) };
}

/** Removes the password, because some servers echo what they were sent. */
function clean(text: string, password: string | null): string {
  const encoded = password === null ? [] : [password, Buffer.from(password).toString("base64")];
  return redactText(encoded.reduce((cleaned, secret) => cleaned.replaceAll(secret, "[redacted]"), text)).slice(
    0,
    1_000,
  );
}
