import type { Message } from "grammy/types";
import type { Connection, InboundFile } from "@/lib/server/triggers/channels/channel";
import type { Content } from "./describe-content";
import { richContentOf } from "./rich-message";
import { downloadFile } from "./telegram-api";

/** The largest file that the Bot API lets a bot download. */
export const MAX_FILE_BYTES = 20_000_000;

interface Attached {
  readonly file_id: string;
  readonly file_size?: number;
  readonly file_name?: string;
}

/** The files of a whole message, those in the blocks of a rich one included. */
export function filesOfMessage(
  connection: Connection,
  message: Partial<Message> & Pick<Message, "message_id">,
): InboundFile[] {
  const { message_id: id } = message;
  const inBlocks = richContentOf(message).media.flatMap((content, at) =>
    filesOf(connection, content, `${id}-${at + 1}`),
  );
  return [...filesOf(connection, message, id), ...inBlocks];
}

/** The files of a message, or of one that is answered. `id` makes names for those without one. */
export function filesOf(connection: Connection, content: Content, id: number | string): InboundFile[] {
  const { document, animation, audio, voice, video, video_note: note, sticker } = content;
  const isStill = sticker !== undefined && !sticker.is_animated && !sticker.is_video;
  const found: [Attached | undefined, string][] = [
    [content.photo?.at(-1), `photo-${id}.jpg`],
    // An animation is also a document.
    [document ?? animation, `file-${id}`],
    [audio, `audio-${id}.mp3`],
    [voice, `voice-${id}.ogg`],
    [video, `video-${id}.mp4`],
    [note, `video-message-${id}.mp4`],
    [isStill ? sticker : undefined, `sticker-${id}.webp`],
  ];
  return found.flatMap(([file, name]) => (file ? [readable(connection, file, name)] : []));
}

function readable(connection: Connection, file: Attached, name: string): InboundFile {
  return {
    name: file.file_name ?? name,
    sizeBytes: file.file_size ?? null,
    read: (signal) => downloadFile(connection, file.file_id, { maxBytes: MAX_FILE_BYTES, signal }),
  };
}
