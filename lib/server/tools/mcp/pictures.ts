import { MAX_IMAGE_BYTES } from "@/lib/agent/workspace/image-file";
import { readNamedPicture } from "@/lib/agent/workspace/pictures/check-picture";
import type { ImageRef } from "@/lib/schema/messages/message";
import type { McpDisplay } from "@/lib/schema/tools/tool-display";

/** Data that a server calls a picture, or that may be one; `data` is base64. */
export interface SentPicture {
  readonly mediaType: string;
  readonly data: string;
}

/** Stores a picture for the run's thread and returns its hash. */
export type KeepPicture = (picture: { bytes: Uint8Array; mediaType: string }) => Promise<string>;

interface ReadPicture {
  /** For the model. */
  readonly image: ImageRef;
  /** For people; absent for a picture that they are not shown. */
  readonly shown?: McpDisplay["content"][number];
}

/** The maximum per result; no request has more. */
const MAX_PICTURES = 20;
/** The limit of one picture in the run's log; a larger one is described to people. */
const MAX_SHOWN_BYTES = 1_000_000;

/** What each of them is by its bytes; null where there is no picture. Those that no model can be shown are named. */
export async function readPictures(
  sent: readonly (SentPicture | undefined)[],
  keep: KeepPicture,
): Promise<(ReadPicture | null)[]> {
  const read: (ReadPicture | null)[] = [];
  let count = 0;
  for (const picture of sent) {
    const found = picture && count < MAX_PICTURES ? await readPicture(picture, count + 1, keep) : null;
    if (found !== null) count += 1;
    read.push(found);
  }
  return read;
}

async function readPicture(
  { mediaType: named, data }: SentPicture,
  number: number,
  keep: KeepPicture,
): Promise<ReadPicture | null> {
  const bytes = Buffer.from(data, "base64");
  const facts = await readNamedPicture(named.replace("image/", "picture."), bytes);
  if (facts === null) return null;
  const { mediaType, problem } = facts;
  const fits = problem === undefined && bytes.byteLength <= MAX_IMAGE_BYTES;
  const hash = fits ? await keep({ bytes, mediaType }) : null;
  const path = `picture-${number}.${mediaType.slice("image/".length)}`;
  const image: ImageRef = { path, ...facts, hash, sizeBytes: bytes.byteLength };
  const isShown = problem === undefined && bytes.byteLength <= MAX_SHOWN_BYTES;
  return isShown ? { image, shown: { type: "image", mediaType, data: bytes.toString("base64") } } : { image };
}
