import { posix } from "node:path";

/** Longer ones name no file, and `..` over and over takes time with the square of its length. */
const MAX_ADDRESS_CHARS = 8_000;

/** The path that an address in one file refers to; null for other hosts, data URLs and anchors in the page. */
export function resolveIn(from: string, href: string): string | null {
  const address = href.trim();
  if (address === "" || address.length > MAX_ADDRESS_CHARS || /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/iu.test(address))
    return null;
  try {
    const plain = decodeURIComponent(address.split(/[?#]/u, 1)[0] ?? "");
    const path = plain.startsWith("/") ? plain.slice(1) : posix.join(posix.dirname(from), plain);
    return path === "" || path.split("/").includes("..") ? null : posix.normalize(path);
  } catch {
    return null;
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css",
  gif: "image/gif",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  mjs: "text/javascript",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  otf: "font/otf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
};

/** By the name's ending. */
export function mediaType(path: string): string {
  return MEDIA_TYPES[posix.extname(path).slice(1).toLowerCase()] ?? "application/octet-stream";
}
