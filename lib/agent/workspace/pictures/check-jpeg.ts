const FILL = 0xff;
const TABLE = 0xdb;
const SCAN = 0xda;
const END = 0xd9;

/** Whether the segments follow one another up to the end of the picture, with a frame and at least one scan in it. */
export function isSoundJpeg(bytes: Buffer): boolean {
  const found = { frame: false, table: false, scan: false };
  for (let at = 2; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] ?? 0;
    if (marker === END) return found.frame && found.scan;
    if (marker === FILL || isAlone(marker)) {
      at += marker === FILL ? 1 : 2;
      continue;
    }
    const end = endOfSegment(bytes, at);
    if (end === null || !isSoundSegment(marker, bytes.subarray(at + 4, end), found)) return false;
    at = marker === SCAN ? endOfScan(bytes, end) : end;
    if (marker === SCAN) found.scan = at > end;
  }
  return false;
}

/** Null if the segment breaks off. */
function endOfSegment(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const end = at + 2 + bytes.readUInt16BE(at + 2);
  return end < at + 4 || end > bytes.length ? null : end;
}

/** Marks in `found` what the segment is; a scan needs a frame and a table before it. */
function isSoundSegment(marker: number, data: Buffer, found: { frame: boolean; table: boolean }): boolean {
  if (marker === TABLE) found.table = true;
  if (!isFrame(marker)) return marker !== SCAN || (found.frame && found.table);
  found.frame = isSoundFrame(data);
  return found.frame;
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
