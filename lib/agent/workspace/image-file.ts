import { formatSize } from "@/lib/schema/files/format-size";
import type { ImageRef } from "@/lib/schema/messages/message";

/** The maximum size of one image, accepted by every provider. */
export const MAX_IMAGE_BYTES = 5_000_000;

/** The facts in an image's own bytes. */
export type ImageInfo = Pick<ImageRef, "mediaType" | "width" | "height">;

/** Null if the bytes are not an image that models read; the file name does not matter. */
export function imageInfo(bytes: Uint8Array): ImageInfo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return pngInfo(view) ?? gifInfo(view) ?? webpInfo(view) ?? jpegInfo(view);
}

/** "PNG, 640 × 480 pixels, 12 KB" */
export function describeImage({ mediaType, width, height, sizeBytes }: Omit<ImageRef, "path" | "hash">): string {
  const name = mediaType.slice("image/".length).toUpperCase();
  const pixels = width === undefined || height === undefined ? [] : [`${width} × ${height} pixels`];
  return [name, ...pixels, formatSize(sizeBytes)].join(", ");
}

function pngInfo(view: DataView): ImageInfo | null {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gifInfo(view: DataView): ImageInfo | null {
  if (view.byteLength < 10 || view.getUint32(0) !== 0x47494638) return null;
  return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpInfo(view: DataView): ImageInfo | null {
  if (view.byteLength < 30 || view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  const size = (width: number, height: number): ImageInfo => ({ mediaType: "image/webp", width, height });
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
  switch (view.getUint32(12)) {
    case 0x56503858:
      return size(uint24(24) + 1, uint24(27) + 1);
    case 0x5650384c: {
      const bits = view.getUint32(21, true);
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 0x56503820:
      return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    default:
      return { mediaType: "image/webp" };
  }
}

function jpegInfo(view: DataView): ImageInfo | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8 || view.getUint8(2) !== 0xff) return null;
  // Walks the segments to the frame header (SOF), which precedes the image data.
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { mediaType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return { mediaType: "image/jpeg" };
}
