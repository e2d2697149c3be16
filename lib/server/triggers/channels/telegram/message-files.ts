import type { Connection, InboundFile } from "@/lib/server/triggers/channels/channel";
import type { Content } from "./describe-content";
import { downloadFile } from "./telegram-api";

/** The largest file that the Bot API lets a bot download. */
export const MAX_FILE_BYTES = 20_000_000;

interface Attached {
  readonly file_id: string;
  readonly file_size?: number;
  readonly file_name?: string;
}

/** The files of a message, or of one that is answered. `id` makes names for those without one. */
export function filesOf(connection: Connection, content: Content, id: number): InboundFile[] {
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
