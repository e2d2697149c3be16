/** Whether the segments follow one another up to the end of the picture, with a frame and at least one scan in it. */
export function isSoundJpeg(bytes: Buffer): boolean {
  let hasFrame = false;
  let hasScan = false;
  let hasTable = false;
  for (let at = 2; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) return hasFrame && hasScan;
    if (isAlone(marker)) {
      at += 2;
      continue;
    }
    if (at + 4 > bytes.length) return false;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return false;
    if (marker === 0xdb) hasTable = true;
    if (isFrame(marker)) {
      hasFrame = isSoundFrame(bytes.subarray(at + 4, end));
      if (!hasFrame) return false;
    }
    at = end;
    if (marker !== 0xda) continue;
    if (!hasFrame || !hasTable) return false;
    at = endOfScan(bytes, end);
    hasScan = at > end;
  }
  return false;
}

function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Precision, height, width, and three bytes for each colour. */
function isSoundFrame(frame: Buffer): boolean {
  if (frame.length < 9) return false;
  const colours = frame[5] ?? 0;
  return frame.readUInt16BE(3) > 0 && colours >= 1 && colours <= 4 && frame.length >= 6 + colours * 3;
}

/** The next marker that is no part of the scan's own data; the end of the bytes if there is none. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    const isData = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  return bytes.length;
}
