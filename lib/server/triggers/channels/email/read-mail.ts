import { createHash } from "node:crypto";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import { readHtml } from "@/lib/server/files/documents/read-html";
import type { Connection, InboundFile, InboundMessage, InboundUpdate } from "@/lib/server/triggers/channels/channel";
import { messageIdsIn, writeAnswerKey } from "./answer-key";
import { cutHistory, forwardedText, type MailKind } from "./cut-history";
import { addressesIn } from "./mail-address";
import { encryptedNotice, isSent, nameFor, withoutSignature } from "./mail-parts";
import { hasPassedDmarc, MAX_TRUSTED_CHARACTERS, whyAutomatic } from "./mail-trust";

/** The largest attachment accepted. */
export const MAX_FILE_BYTES = 10 * 1_048_576;
/** The limit of attachments per mail; a mail with ten thousand parts is no letter. */
const MOST_FILES = 20;
const MAX_HEADER_BYTES = 256 * 1_024;
const MAX_NESTING = 20;
/** A local part has at most 64 characters, a domain 255. */
const MOST_ADDRESS_CHARACTERS = 320;
const MOST_NAME_CHARACTERS = 500;
/** How many mails attached to one are read as text. */
const MOST_ATTACHED_MAILS = 5;
/** A longer text is no message to an agent; it can be sent as a file. */
const MOST_CHARACTERS = 100_000;
/** Of a long mail, history included. */
const MOST_EXAMINED = 1_000_000;

export interface StoredMail {
  readonly bytes: Uint8Array;
  /** UIDVALIDITY and UID: the channel's offset once this mail has been read. */
  readonly offset: string;
}

/**
 * A mail as the channel's update: a message, or the reason why it is none. Runs in a process of its own, because a mail
 * can make its parser take long.
 */
export async function readMail(
  { channelId }: Pick<Connection, "channelId">,
  credentials: Pick<EmailCredentials, "address" | "authservId">,
  { bytes, offset }: StoredMail,
): Promise<InboundUpdate> {
  const mail = await parseMail(bytes);
  const refused = (why: string): InboundUpdate => ({ id: `refused:${offset}`, offset, refused: why });
  if (mail === null) return refused("It can't be read as a mail.");
  const from = senderOf(mail);
  if (from === null) return refused("It does not have exactly one sender.");
  const automatic = isOwn(from.address, credentials.address) ? "It is its own mail." : whyAutomatic(mail.headers);
  if (automatic !== null) return refused(automatic);
  const linkSecret = linkSecretOf(mail, credentials.address);
  const isTrusted = hasPassedDmarc(mail.headers, credentials.authservId, from.address);
  if (!isTrusted && linkSecret === null) {
    return refused(`${credentials.authservId} does not say dmarc=pass for the sender.`);
  }
  const message = messageOf(mail, { channelId, from, attached: await attachedMails(mail) });
  return {
    id: idOf(mail, from.address, bytes),
    offset,
    message: isTrusted || linkSecret === null ? message : { ...message, linkSecret },
  };
}

/** Null if it is unreadable: it must not block the mails after it. Mails in it stay attachments. */
async function parseMail(bytes: Uint8Array | ArrayBuffer | string): Promise<Email | null> {
  const limits = { maxHeadersSize: MAX_HEADER_BYTES, maxNestingDepth: MAX_NESTING };
  return PostalMime.parse(bytes, { ...limits, forceRfc822Attachments: true }).catch(() => null);
}

/** The text of mails that a program forwards as attachments. */
async function attachedMails({ attachments }: Email): Promise<string[]> {
  const mails = attachments.filter(({ mimeType }) => mimeType === "message/rfc822").slice(0, MOST_ATTACHED_MAILS);
  const parsed = await Promise.all(mails.map(({ content }) => parseMail(content)));
  return parsed.flatMap((mail) => (mail === null ? [] : forwardedText(shownMail(mail))));
}

function shownMail(mail: Email): string {
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value.slice(0, 500);
  const lines = [
    ["From", mail.from ? [mail.from.name, mail.from.address].filter(Boolean).join(", ") : undefined],
    ["Date", header("date")],
    ["Subject", mail.subject?.slice(0, 500)],
  ].flatMap(([name, value]) => (value ? `${name}: ${value}` : []));
  return `${lines.join("\n")}\n\n${plainText(mail).slice(0, MOST_CHARACTERS)}`.trim();
}

interface From {
  readonly name: string;
  readonly address: string;
}

/** Refuses mails with two senders or two From headers as spoofing: DMARC covers only one. */
function senderOf({ headers, from }: Email): From | null {
  const written = headers.filter(({ key }) => key === "from");
  const [header] = written.length === 1 ? written : [];
  const isShort = header !== undefined && header.value.length <= MAX_TRUSTED_CHARACTERS;
  const addresses = isShort ? addressesIn(header.value) : null;
  const [address] = addresses ?? [];
  if (address === undefined || addresses?.length !== 1 || address.length > MOST_ADDRESS_CHARACTERS) return null;
  const shown = from?.group?.[0]?.name.trim() || from?.name.trim();
  return { address, name: (shown || address).slice(0, MOST_NAME_CHARACTERS) };
}

/** Also an address of its own with a plus, such as that of a link. */
function isOwn(sender: string, own: string): boolean {
  const [local = "", domain = ""] = own.toLowerCase().split("@");
  const address = sender.toLowerCase();
  return address === `${local}@${domain}` || (address.startsWith(`${local}+`) && address.endsWith(`@${domain}`));
}

/**
 * A mail is identified by its Message-ID and sender, or else by what it is, in any mailbox, because its UID changes with
 * the mailbox.
 */
function idOf({ messageId }: Email, address: string, bytes: Uint8Array): string {
  // Programs also write an empty one.
  const isNamed = messageId !== undefined && /[^<>\s]/.test(messageId);
  const what = isNamed ? `${messageId}\n${address}` : bytes;
  return `mail:${createHash("sha256").update(what).digest("hex")}`;
}

/** The part after the plus of the recipient address: `agent+secret@example.org`. */
function linkSecretOf({ headers }: Email, address: string): string | null {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const recipients = headers
    .filter(({ key }) => ["to", "cc", "delivered-to", "x-original-to", "envelope-to"].includes(key))
    .filter(({ value }) => value.length <= MAX_TRUSTED_CHARACTERS)
    .flatMap(({ value }) => value.toLowerCase().split(/[\s<>,;:"]/));
  const plus = recipients.find((one) => one.startsWith(`${local}+`) && one.endsWith(`@${domain}`));
  return plus === undefined ? null : plus.slice(local.length + 1, -domain.length - 1);
}

interface MailContext {
  readonly channelId: string;
  readonly from: From;
  /** The mails attached to it, as text. */
  readonly attached: readonly string[];
}

function messageOf(mail: Email, { channelId, from, attached }: MailContext): InboundMessage {
  const references = [...messageIdsIn(mail.references), ...messageIdsIn(mail.inReplyTo)];
  const known = [...new Set(references)];
  const own = known.findLast((id) => isOwnId(id, channelId));
  const subject = (mail.subject ?? "").slice(0, MAX_TRUSTED_CHARACTERS).replace(/\s+/g, " ").trim().slice(0, 500);
  const [messageId] = messageIdsIn(mail.messageId);
  return {
    chat: { id: from.address, kind: "direct", name: from.address },
    sender: { id: from.address, name: from.name },
    text: [textOf(mail, { subject, hasReferences: known.length > 0 }, own !== undefined), ...attached].join("\n\n"),
    files: mail.attachments.filter(isSent).slice(0, MOST_FILES).map(fileOf),
    isMentioned: true,
    ...(own === undefined ? { beginsThread: true } : { replyTo: own }),
    ...(messageId === undefined ? {} : { answerKey: writeAnswerKey({ messageId, references: known, subject }) }),
  };
}

/** The channel's own Message-IDs contain its id. */
export function ownMessageId(channelId: string, unique: string, address: string): string {
  return `<${unique}.${channelId}@${address.split("@").at(-1)}>`;
}

function isOwnId(id: string, channelId: string): boolean {
  return id.includes(`.${channelId}@`);
}

/** Prepends the subject to a mail that begins a conversation; commands are passed without it. */
function textOf(mail: Email, kind: MailKind, isReply: boolean): string {
  const body = cutHistory(plainText(mail).slice(0, MOST_EXAMINED), kind).slice(0, MOST_CHARACTERS);
  if (body === "") return kind.subject;
  return isReply || kind.subject === "" || STANDS_ALONE.test(body) ? body : `${kind.subject}\n\n${body}`;
}

/** A command, or a pairing code as displayed. */
const STANDS_ALONE = /^(?:\/[A-Za-z]+|[A-Z2-9]{4}[ -]?[A-Z2-9]{4})$/;

function plainText({ text, html, attachments }: Email): string {
  if (text !== undefined && text.trim() !== "") return withoutSignature(text);
  if (!html) return encryptedNotice(attachments);
  return readHtml(Buffer.from(`<meta charset="utf-8">${html}`), "https://mail.invalid/").text;
}

function fileOf({ filename, mimeType, content }: Attachment): InboundFile {
  const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  const name = filename?.trim() || nameFor(mimeType);
  return {
    name,
    sizeBytes: bytes.byteLength,
    async read() {
      if (bytes.byteLength <= MAX_FILE_BYTES) return bytes;
      throw new Error(`${name} is larger than 10 MB.`);
    },
  };
}
