const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The checksum of PNG and zip. */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (TABLE[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

/** Tells two values apart where a mistake once in four billion does no harm. */
export function checksum(value: unknown): string {
  const text = JSON.stringify(value);
  return `${text.length.toString(36)}-${crc32(new TextEncoder().encode(text)).toString(16)}`;
}
