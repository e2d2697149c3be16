import { createHash } from "node:crypto";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import { readHtml } from "@/lib/server/files/documents/read-html";
import type { Connection, InboundFile, InboundMessage, InboundUpdate } from "@/lib/server/triggers/channels/channel";
import { messageIdsIn, writeAnswerKey } from "./answer-key";
import { cutHistory } from "./cut-history";
import { hasPassedDmarc, whyAutomatic } from "./mail-trust";

/** The largest attachment accepted. */
export const MAX_FILE_BYTES = 10 * 1_048_576;
/** The limit of attachments per mail; a mail with ten thousand parts is no letter. */
const MOST_FILES = 20;
const MAX_HEADER_BYTES = 256 * 1_024;
const MAX_NESTING = 20;
/** A longer text is no message to an agent; it can be sent as a file. */
const MOST_CHARACTERS = 100_000;

export interface StoredMail {
  readonly bytes: Uint8Array;
  /** UIDVALIDITY and UID: the channel's offset once this mail has been read. */
  readonly offset: string;
}

/** A mail as the channel's update: a message, or the reason why it is none. */
export async function readMail(
  { channelId }: Connection,
  credentials: EmailCredentials,
  { bytes, offset }: StoredMail,
): Promise<InboundUpdate> {
  const parser = { maxHeadersSize: MAX_HEADER_BYTES, maxNestingDepth: MAX_NESTING };
  // An unreadable mail must not block the mails after it.
  const mail = await PostalMime.parse(bytes, parser).catch(() => null);
  const refused = (why: string): InboundUpdate => ({ id: `refused:${offset}`, offset, refused: why });
  if (mail === null) return refused("It can't be read as a mail.");
  const from = senderOf(mail);
  if (from === null) return refused("It does not have exactly one sender.");
  const automatic = isSame(from.address, credentials.address) ? "It is its own mail." : whyAutomatic(mail.headers);
  if (automatic !== null) return refused(automatic);
  const linkSecret = linkSecretOf(mail, credentials.address);
  const isTrusted = hasPassedDmarc(mail.headers, credentials.authservId, from.address);
  if (!isTrusted && linkSecret === null) {
    return refused(`${credentials.authservId} does not say dmarc=pass for the sender.`);
  }
  const message = messageOf(mail, { channelId, from });
  return {
    id: idOf(mail, offset),
    offset,
    message: isTrusted || linkSecret === null ? message : { ...message, linkSecret },
  };
}

interface From {
  readonly name: string;
  readonly address: string;
}

/** Refuses mails with two senders or two From headers as spoofing: DMARC covers only one. */
function senderOf({ headers, from }: Email): From | null {
  const address = from?.address?.toLowerCase();
  const count = headers.filter(({ key }) => key === "from").length;
  const isOne = count === 1 && address !== undefined && /^[^\s@<>,;"]{1,200}@[^\s@<>,;"]{1,250}$/.test(address);
  // The parser uses the first of several addresses.
  const written = headers.find(({ key }) => key === "from")?.value ?? "";
  if (!isOne || (written.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/@/g) ?? []).length !== 1) return null;
  return { address, name: from?.name.trim() || address };
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** A mail is identified by its Message-ID and sender in any mailbox, because its UID changes with the mailbox. */
function idOf({ messageId, from }: Email, offset: string): string {
  if (!messageId) return `mail:${offset}`;
  return `mail:${createHash("sha256").update(`${messageId}\n${from?.address?.toLowerCase()}`).digest("hex")}`;
}

/** The part after the plus of the recipient address: `agent+secret@example.org`. */
function linkSecretOf({ headers }: Email, address: string): string | null {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const recipients = headers
    .filter(({ key }) => ["to", "cc", "delivered-to", "x-original-to", "envelope-to"].includes(key))
    .flatMap(({ value }) => value.toLowerCase().match(/[^\s<>,;:"]+@[^\s<>,;:"]+/g) ?? []);
  const plus = recipients.find((one) => one.startsWith(`${local}+`) && one.endsWith(`@${domain}`));
  return plus === undefined ? null : plus.slice(local.length + 1, -domain.length - 1);
}

interface Facts {
  readonly channelId: string;
  readonly from: From;
}

function messageOf(mail: Email, { channelId, from }: Facts): InboundMessage {
  const references = [...messageIdsIn(mail.references), ...messageIdsIn(mail.inReplyTo)];
  const known = [...new Set(references)];
  const own = known.findLast((id) => isOwnId(id, channelId));
  const subject = (mail.subject ?? "").replace(/\s+/g, " ").trim().slice(0, 500);
  const [messageId] = messageIdsIn(mail.messageId);
  return {
    chat: { id: from.address, kind: "direct", name: from.address },
    sender: { id: from.address, name: from.name },
    text: textOf(mail, subject, own !== undefined),
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
function textOf(mail: Email, subject: string, isReply: boolean): string {
  const body = cutHistory(plainText(mail)).slice(0, MOST_CHARACTERS);
  if (body === "") return subject;
  return isReply || subject === "" || STANDS_ALONE.test(body) ? body : `${subject}\n\n${body}`;
}

/** A command, or a pairing code as displayed. */
const STANDS_ALONE = /^(?:\/[A-Za-z]+|[A-Z2-9]{4}[ -]?[A-Z2-9]{4})$/;

function plainText({ text, html }: Email): string {
  if (text !== undefined && text.trim() !== "") return text;
  return html ? readHtml(Buffer.from(`<meta charset="utf-8">${html}`), "https://mail.invalid/").text : "";
}

/** Whether a part was attached by the sender: inline pictures, such as a logo in a signature, don't count. */
function isSent({ disposition, related, contentId }: Attachment): boolean {
  return disposition === "attachment" || !(related === true || contentId !== undefined);
}

function fileOf({ filename, mimeType, content }: Attachment): InboundFile {
  const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  const name =
    filename?.trim() ||
    `attachment.${
      mimeType
        .split("/")
        .at(-1)
        ?.replace(/[^a-z0-9]/gi, "") || "bin"
    }`;
  return {
    name,
    sizeBytes: bytes.byteLength,
    async read() {
      if (bytes.byteLength <= MAX_FILE_BYTES) return bytes;
      throw new Error(`${name} is larger than 10 MB.`);
    },
  };
}
