/** A JPEG of a single grey; `colours` 1 (grey), 3 (YCbCr) or 4 (CMYK). `before` is put after the start, such as EXIF. */
export function makeJpeg(
  width: number,
  height: number,
  { colours = 3, before = Buffer.alloc(0) as Buffer } = {},
): Buffer {
  const ids = Array.from({ length: colours }, (_, index) => index + 1);
  const frame = Buffer.from([8, 0, 0, 0, 0, colours, ...ids.flatMap((id) => [id, 0x11, 0])]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * colours;
  // Each block is two zero bits: no difference, end of block. The rest of the last byte is filled with ones.
  const data = Buffer.alloc(Math.ceil((blocks * 2) / 8));
  const unused = data.length * 8 - blocks * 2;
  data.writeUInt8((1 << unused) - 1, data.length - 1);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    before,
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(0xc0, frame),
    segment(0xc4, [0x00, ...oneCode]),
    segment(0xc4, [0x10, ...oneCode]),
    segment(0xda, [colours, ...ids.flatMap((id) => [id, 0x00]), 0, 63, 0]),
    data,
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A segment with its marker and length. */
export function segment(marker: number, content: Iterable<number>): Buffer {
  const body = Buffer.from([...content]);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}
