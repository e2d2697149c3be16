import "server-only";
import { z } from "zod";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import { DocumentRefused } from "@/lib/server/files/documents/document";
import { askDocumentProcess, type ProcessLimits } from "@/lib/server/files/documents/document-process";
import type { Connection, InboundFile, InboundUpdate } from "@/lib/server/triggers/channels/channel";
import type { StoredMail } from "./read-mail";

const WORKER = "lib/server/triggers/channels/email/mail-worker";

const Message = z.object({
  chat: z.object({ id: z.string(), kind: z.enum(["direct", "group"]), name: z.string() }),
  sender: z.object({ id: z.string(), name: z.string() }),
  text: z.string(),
  files: z.array(z.object({ name: z.string(), sizeBytes: z.number().nullable() })),
  isMentioned: z.boolean(),
  replyTo: z.string().optional(),
  beginsThread: z.boolean().optional(),
  answerKey: z.string().optional(),
  linkSecret: z.string().optional(),
});

/** What the process says of a mail; `contents` are those of the files, as base64, or null for one that is too large. */
const Reading = z.object({
  update: z.object({
    id: z.string(),
    offset: z.string(),
    refused: z.string().optional(),
    message: Message.optional(),
  }),
  contents: z.array(z.string().nullable()),
});

/**
 * A mail as the channel's update, read in a document process: whoever knows the address can send anything. A mail that
 * takes too long or too much memory is turned away with the reason.
 */
export async function receiveMail(
  { channelId }: Pick<Connection, "channelId">,
  { address, authservId }: Pick<EmailCredentials, "address" | "authservId">,
  { bytes, offset }: StoredMail,
  limits?: ProcessLimits,
): Promise<InboundUpdate> {
  const words = [channelId, address, authservId, offset];
  try {
    const said = await askDocumentProcess({ worker: WORKER, words, bytes, ...(limits ? { limits } : {}) });
    const { update, contents } = Reading.parse(said);
    const { message, ...facts } = update;
    if (message === undefined) return facts;
    const files = message.files.map((file, index) => fileOf(file, contents[index] ?? null));
    return { ...facts, message: { ...message, files } };
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    return { id: `refused:${offset}`, offset, refused: error.message };
  }
}

function fileOf(file: Pick<InboundFile, "name" | "sizeBytes">, content: string | null): InboundFile {
  return {
    ...file,
    async read() {
      if (content !== null) return new Uint8Array(Buffer.from(content, "base64"));
      throw new Error(`${file.name} is larger than 10 MB.`);
    },
  };
}
