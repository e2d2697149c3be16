import { randomUUID } from "node:crypto";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import { isLoopback } from "@/lib/schema/loopback";
import { type MailServer, sendBySmtp, whySmtpFails } from "@/lib/server/settings/mail";
import {
  type Channel,
  ChannelForged,
  type Connection,
  type OutboundMessage,
} from "@/lib/server/triggers/channels/channel";
import { type AnswerKey, readAnswerKey } from "./answer-key";
import { followMailbox, testMailbox } from "./imap";
import { toMailHtml } from "./mail-html";
import { MAX_FILE_BYTES, ownMessageId } from "./read-mail";
import { receiveMail } from "./receive-mail";

/** No server rejects a mail because of a text of this size. */
const TEXT_CHARACTERS = 100_000;
/** How many mails of one person may start runs: automatic replies stop here at the latest. */
const PER_HOUR = 10;

export const email: Channel = {
  kind: "email",
  limits: {
    textCharacters: TEXT_CHARACTERS,
    canEdit: false,
    typingMs: null,
    canPress: false,
    fileBytes: MAX_FILE_BYTES,
    keepsFiles: true,
    perHour: PER_HOUR,
  },
  formatHint:
    "This is email: a complete letter that can be read without the conversation. " +
    "Bold, italics, headings, lists, quotes, links, tables and code blocks are shown, written as Markdown. " +
    "The person sees no progress: answer in one message.",
  secretAddress(connection, secret) {
    const [local, domain] = credentialsOf(connection).address.split("@");
    return `${local}+${secret}@${domain}`;
  },
  async test(connection) {
    const credentials = credentialsOf(connection);
    await testMailbox(credentials);
    const problem = await whySmtpFails(smtpOf(credentials));
    if (problem !== null) throw new Error(`Mail comes in, but can't go out: ${problem}`);
    return { username: credentials.address };
  },
  async start(connection, receive, signal) {
    const credentials = credentialsOf(connection);
    const { offset } = connection;
    await followMailbox(credentials, {
      offset,
      signal,
      async take(mail) {
        if ("bytes" in mail) await receive(await receiveMail(connection, credentials, mail));
        else if (mail.tooLarge)
          await receive({ id: `refused:${mail.offset}`, offset: mail.offset, refused: TOO_LARGE });
        else await receive({ id: `offset:${mail.offset}`, offset: mail.offset });
      },
    });
  },
  async parse() {
    throw new ChannelForged("Mail does not arrive at the hook.");
  },
  async send(connection, chatId, message) {
    const credentials = credentialsOf(connection);
    const messageId = ownMessageId(connection.channelId, randomUUID(), credentials.address);
    const from = { name: connection.name, address: credentials.address };
    const sent = await sendBySmtp({ to: chatId, messageId, ...letterOf(message) }, { ...smtpOf(credentials), from });
    if (!sent.ok) throw new Error(sent.error ?? "The mail server did not take it.");
    return { messageId };
  },
  async edit() {
    throw new Error("A mail that was sent can't be changed.");
  },
  async typing() {},
  async answerPress() {},
};

const MOST_SUBJECT = 120;
const TOO_LARGE = "It is larger than 25 MB.";

function credentialsOf({ credentials }: Connection): EmailCredentials {
  if (credentials.kind !== "email") throw new Error("These are not the credentials of a mailbox.");
  return credentials;
}

/** Connects without TLS only on this machine. */
function smtpOf({ smtp: { host, port, secure, user, password } }: EmailCredentials): Omit<MailServer, "from"> {
  return { host, port, user, password, security: secure ? "tls" : isLoopback(host) ? "none" : "starttls" };
}

function letterOf({ text, files = [], buttons = [], replyTo, subject }: OutboundMessage) {
  const answered = readAnswerKey(replyTo);
  const links = buttons.flat().flatMap((button) => ("url" in button ? [`[${button.label}](${button.url})`] : []));
  const markdown = [text, ...links].filter((part) => part !== "").join("\n\n");
  return {
    subject: subjectOf(answered, subject ?? firstLine(text)),
    text: `${plainLinks(markdown)}\n`,
    html: toMailHtml(markdown),
    // Auto-responders, including Ringmaster's own, do not answer such mails.
    headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
    ...(answered === null
      ? {}
      : { inReplyTo: answered.messageId, references: [...new Set([...answered.references, answered.messageId])] }),
    attachments: files.map(({ name, bytes }) => ({ filename: name, content: Buffer.from(bytes) })),
  };
}

/** The subject of a mail that begins a conversation: its first words. */
function firstLine(text: string): string {
  const line =
    text
      .replace(/[*_`#>]/g, "")
      .trim()
      .split("\n")[0] ?? "";
  return line === "" ? "A message for you" : line.slice(0, MOST_SUBJECT);
}

function subjectOf(answered: AnswerKey | null, subject: string): string {
  const line = (answered === null || answered.subject === "" ? subject : answered.subject).replace(/\s+/g, " ").trim();
  return answered === null || /^re:/i.test(line) ? line : `Re: ${line}`;
}

/** Plain text has no links, so the address follows the link text. */
function plainLinks(markdown: string): string {
  return markdown.replace(
    /(?<!!)\[([^\][\n]{1,200})\]\((https?:\/\/[^\s)[]{1,2000})\)/g,
    (_, label: string, url: string) => (label === url ? url : `${label}: ${url}`),
  );
}
