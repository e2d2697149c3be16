import { z } from "zod";
import type { Citation, Connection, InboundFile } from "@/lib/server/triggers/channels/channel";
import { citedText } from "@/lib/server/triggers/channels/cited-text";
import { downloadFromSlack } from "./slack-api";
import { textOfBlocks } from "./slack-blocks";
import { fromMrkdwn } from "./slack-text";

/** The largest file accepted from a message. */
export const MAX_FILE_BYTES = 20 * 1_048_576;
const MOST_ATTACHMENTS = 20;

const Text = z.string().nullish().catch(null);

const SlackFile = z.object({
  name: Text,
  size: z.number().nullish().catch(null),
  url_private_download: Text,
  url_private: Text,
});

const Field = z.object({ title: Text, value: Text });

const Attachment = z.object({
  is_share: z.unknown().optional(),
  is_msg_unfurl: z.unknown().optional(),
  pretext: Text,
  title: Text,
  title_link: Text,
  text: Text,
  fallback: Text,
  author_name: Text,
  author_subname: Text,
  channel_name: Text,
  service_name: Text,
  from_url: Text,
  fields: z.array(z.unknown()).nullish().catch(null),
  blocks: z.unknown().optional(),
  message_blocks: z.array(z.unknown()).nullish().catch(null),
  files: z.unknown().optional(),
});
type Attachment = z.output<typeof Attachment>;

const MessageBlocks = z.object({ message: z.object({ blocks: z.unknown().optional() }) });

/** What Slack delivers beside the text of a message: messages that were forwarded or linked, and what programs attach. */
export function citationIn(connection: Connection, attachments: unknown): Citation | null {
  if (!Array.isArray(attachments)) return null;
  const read = attachments.slice(0, MOST_ATTACHMENTS).flatMap((raw) => Attachment.safeParse(raw).data ?? []);
  const files = read.flatMap((attachment) => filesIn(connection, attachment.files));
  const texts = read.flatMap((attachment) => citedAttachment(attachment) ?? []);
  return texts.length === 0 && files.length === 0 ? null : { text: texts.join("\n\n"), files, isSelected: true };
}

/** The files of a message, or of one that was forwarded. */
export function filesIn(connection: Connection, files: unknown): InboundFile[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((raw) => {
    const file = SlackFile.safeParse(raw).data;
    const url = file?.url_private_download ?? file?.url_private;
    if (!file || !url) return [];
    return {
      name: file.name ?? "file",
      sizeBytes: file.size ?? null,
      read: (signal: AbortSignal) => downloadFromSlack(connection, { url, maxBytes: MAX_FILE_BYTES, signal }),
    };
  });
}

function citedAttachment(attachment: Attachment): string | null {
  const { is_share: isShared, is_msg_unfurl: isLinked, channel_name: channel } = attachment;
  const isMessage = isShared === true || isLinked === true;
  const text = fromMrkdwn(wordsOf(attachment, isMessage), null);
  const hasFiles = Array.isArray(attachment.files) && attachment.files.length > 0;
  if (text === "" && !hasFiles) return null;
  const author = attachment.author_name || attachment.author_subname || attachment.service_name;
  const where = channel ? ` in #${channel}` : "";
  const label = isMessage
    ? `Forwarded from ${author ?? "someone"}${where}`
    : `Attached${author ? ` by ${author}` : ""}`;
  return citedText({ label, text: text || "[File]" });
}

function wordsOf(attachment: Attachment, isMessage: boolean): string {
  const { pretext, title, title_link: address, text, fallback } = attachment;
  const fields = (attachment.fields ?? []).flatMap((raw) => {
    const field = Field.safeParse(raw).data;
    return field ? [field.title, field.value].filter(Boolean).join(": ") : [];
  });
  const messages = (attachment.message_blocks ?? []).flatMap((raw) => MessageBlocks.safeParse(raw).data?.message ?? []);
  const inBlocks = [attachment.blocks, ...messages.map(({ blocks }) => blocks)];
  const body = text || inBlocks.map(textOfBlocks).filter(Boolean).join("\n");
  const headline = address && title ? `<${address}|${title}>` : title;
  const shown = [pretext, headline, body, ...fields].filter(Boolean);
  // The fallback repeats what the others say.
  const words = shown.length > 0 ? shown : [fallback].filter(Boolean);
  return [...words, isMessage ? null : attachment.from_url].filter(Boolean).join("\n");
}
