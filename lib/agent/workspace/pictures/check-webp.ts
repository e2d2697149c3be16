/** Whether all parts are as long as they say and begin as a picture does. */
export function isSoundWebp(bytes: Buffer): boolean {
  const end = 8 + bytes.readUInt32LE(4);
  return end <= bytes.length && hasPicture(bytes, 12, end);
}

function hasPicture(bytes: Buffer, start: number, end: number): boolean {
  let found = false;
  for (let at = start; at + 8 <= end; ) {
    const kind = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return false;
    const isSound = READERS[kind]?.(bytes, at + 8, at + 8 + length);
    if (isSound === false) return false;
    found ||= isSound === true;
    at += 8 + length + (length % 2);
  }
  return found;
}

const READERS: Readonly<Record<string, (bytes: Buffer, start: number, end: number) => boolean>> = {
  "VP8 ": isSoundLossy,
  VP8L: (bytes, start, end) => end - start > 5 && bytes[start] === 0x2f && ((bytes[start + 4] ?? 0) & 0xe0) === 0,
  /** A frame of an animation is a picture behind sixteen bytes of its own. */
  ANMF: (bytes, start, end) => end - start > 16 && hasPicture(bytes, start + 16, end),
};

/** A key frame with its start code, whose first partition lies within it. */
function isSoundLossy(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < 10) return false;
  const tag = bytes.readUIntLE(start, 3);
  const isKeyFrame = (tag & 1) === 0;
  return isKeyFrame && bytes.readUIntBE(start + 3, 3) === 0x9d012a && start + 10 + (tag >>> 5) <= end;
}
