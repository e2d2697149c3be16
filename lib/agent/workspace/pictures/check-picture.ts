import { imageInfo } from "@/lib/agent/workspace/image-file";
import type { ImageRef, PictureProblem } from "@/lib/schema/messages/message";
import { isSoundGif } from "./check-gif";
import { isSoundJpeg } from "./check-jpeg";
import { isSoundPng } from "./check-png";
import { isSoundWebp } from "./check-webp";

const CHECKS: Readonly<Record<string, (bytes: Buffer) => boolean | Promise<boolean>>> = {
  "image/png": isSoundPng,
  "image/jpeg": isSoundJpeg,
  "image/gif": isSoundGif,
  "image/webp": isSoundWebp,
};
/** What a picture of a good camera has several times over; unpacked it needs up to 800 MB. */
const MOST_PIXELS = 100_000_000;

/** What a file is that holds a picture, or should. */
type ReadPicture = Pick<ImageRef, "mediaType" | "width" | "height" | "problem">;

/** The kind of picture by its bytes, and why no model can be shown it; null if it is none. */
async function readPicture(bytes: Uint8Array): Promise<ReadPicture | null> {
  const facts = imageInfo(bytes);
  if (facts === null) {
    const mediaType = unreadKind(bytes);
    return mediaType && { mediaType, problem: "unknown_kind" };
  }
  const problem = await checkPicture(bytes);
  return problem === null ? facts : { ...facts, problem };
}

const NAMED_KINDS: Readonly<Record<string, ImageRef["mediaType"]>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** As `readPicture`; a file that is named as a picture and holds none is a damaged one. */
export async function readNamedPicture(path: string, bytes: Uint8Array): Promise<ReadPicture | null> {
  const named = NAMED_KINDS[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
  return (await readPicture(bytes)) ?? (named ? { mediaType: named, problem: "damaged" } : null);
}

const MOST_KNOWN = 2_000;
const known = new Map<string, Promise<PictureProblem | null>>();

/** Why a model cannot be shown the picture; null if it can. */
export async function checkPicture(bytes: Uint8Array): Promise<PictureProblem | null> {
  return checkKnownPicture(bytes, await sha256(bytes));
}

/** As `checkPicture`; a picture is read once. `hash` is its SHA-256 (hex). */
export function checkKnownPicture(bytes: Uint8Array, hash: string): Promise<PictureProblem | null> {
  const verdict = known.get(hash) ?? judge(bytes);
  known.delete(hash);
  known.set(hash, verdict);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return verdict;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toString("hex");
}

async function judge(bytes: Uint8Array): Promise<PictureProblem | null> {
  const facts = imageInfo(bytes);
  if (facts === null) return unreadKind(bytes) === null ? "damaged" : "unknown_kind";
  const { mediaType, width = 1, height = 1 } = facts;
  if (width * height > MOST_PIXELS) return "too_many_pixels";
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (await CHECKS[mediaType]?.(buffer)) ? null : "damaged";
}

/** Kinds of pictures that no provider reads. */
function unreadKind(bytes: Uint8Array): ImageRef["mediaType"] | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (/^.{4}ftyp(?:hei|hev|mif1|msf1)/s.test(start)) return "image/heic";
  if (/^.{4}ftypavi/s.test(start)) return "image/avif";
  if (start.startsWith("II*\0") || start.startsWith("MM\0*")) return "image/tiff";
  return start.startsWith("BM") && bytes.byteLength > 54 ? "image/bmp" : null;
}

/** "is damaged": what follows a picture's name, for people and models. */
export const PICTURE_PROBLEMS: Readonly<Record<PictureProblem, string>> = {
  damaged: "is damaged",
  too_many_pixels: "has too many pixels",
  unknown_kind: "is of a kind that models don't read; make it a PNG or JPEG",
  refused: "was refused by the model's provider",
};
