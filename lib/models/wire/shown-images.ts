import { describeImage, MAX_IMAGE_BYTES } from "@/lib/agent/workspace/image-file";
import { PICTURE_PROBLEMS } from "@/lib/agent/workspace/pictures/check-picture";
import { formatSize } from "@/lib/schema/files/format-size";
import type { ImageRef, Message } from "@/lib/schema/messages/message";

/** Reads the bytes of an image by hash; null if they are no longer stored. */
export type ImageReader = (hash: string) => Promise<Uint8Array | null>;

/** The images of a request that a model is shown. */
export interface ShownImages {
  readonly canSee: boolean;
  /** The images that are sent, by hash. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  /** The same for two calls that omit the same images. */
  readonly leftOut: string;
}

/** The maximum per request: providers refuse more, and older images remain on disk for `view_image`. */
const MAX_IMAGES = 20;
const MAX_TOTAL_BYTES = 20_000_000;

export const BLIND: ShownImages = { canSee: false, bytes: new Map(), leftOut: "" };

/** Loads the newest images of the messages, up to the limit of a request. */
export async function loadImages(messages: readonly Message[], readImage: ImageReader): Promise<ShownImages> {
  const bytes = new Map<string, Uint8Array>();
  const leftOut: string[] = [];
  let total = 0;
  for (const { hash, sizeBytes } of imagesOf(messages).toReversed()) {
    if (hash === null || bytes.has(hash)) continue;
    const isRoom = bytes.size < MAX_IMAGES && total + sizeBytes <= MAX_TOTAL_BYTES;
    const content = isRoom ? await readImage(hash) : null;
    if (content === null) leftOut.push(hash);
    else {
      bytes.set(hash, content);
      total += content.byteLength;
    }
  }
  return { canSee: true, bytes, leftOut: leftOut.join(" ") };
}

export function hasImages(messages: readonly Message[]): boolean {
  return messages.some((message) => "images" in message);
}

function imagesOf(messages: readonly Message[]): ImageRef[] {
  return messages.flatMap((message) => ("images" in message ? (message.images ?? []) : []));
}

/** How many pictures stand in the messages and are not sent again. */
export function countUnseen(messages: readonly Message[], { canSee, bytes }: ShownImages): number {
  if (!canSee) return 0;
  return imagesOf(messages).filter(({ hash }) => hash !== null && !bytes.has(hash)).length;
}

/** The text that replaces an image that the model is not shown; null for one that it sees. */
export function describeUnseen(image: ImageRef, { canSee, bytes }: ShownImages): string | null {
  if (image.hash !== null && bytes.has(image.hash)) return null;
  return `[${image.path} (${describeImage(image)}): ${whyUnseen(image, canSee)}]`;
}

function whyUnseen({ hash, problem }: ImageRef, canSee: boolean): string {
  if (problem !== undefined) return `not shown, this picture ${PICTURE_PROBLEMS[problem]}`;
  if (!canSee) return "this model can't see images";
  if (hash === null) return `too large to be seen, an image may have ${formatSize(MAX_IMAGE_BYTES)}`;
  return "not shown again, use view_image to see it";
}
