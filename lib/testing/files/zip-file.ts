import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a test's zip archive, including every field that a hostile archive may falsify. */
export interface ZipEntry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** Unix mode with its type bits, such as 0o120777 for a link. */
  readonly mode?: number;
  /** The size that the archive claims, whatever the real one is. */
  readonly claimedBytes?: number;
  readonly claimedCrc?: number;
  /** Bit 0: encrypted. */
  readonly flags?: number;
}

/** A zip archive with these entries, deflated. */
export function zipFile(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, central } = writeEntry(entry, offset);
    offset += local.byteLength;
    locals.push(local);
    centrals.push(central);
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, directory, end]));
}

function writeEntry(entry: ZipEntry, offset: number) {
  const name = Buffer.from(entry.path);
  const content = Buffer.from(entry.content ?? "");
  const data = deflateRawSync(content);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(0x800 | (entry.flags ?? 0), 2);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt32LE(entry.claimedCrc ?? crc32(content), 10);
  shared.writeUInt32LE(data.byteLength, 14);
  shared.writeUInt32LE(entry.claimedBytes ?? content.byteLength, 18);
  shared.writeUInt16LE(name.byteLength, 22);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(0x0314, 4);
  shared.copy(central, 6);
  central.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
  central.writeUInt32LE(offset, 42);
  const signature = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
  return { local: Buffer.concat([signature, shared, name, data]), central: Buffer.concat([central, name]) };
}
