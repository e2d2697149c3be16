import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

/** A file for an archive; `path` has slashes and no leading one. */
export interface ZipEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, the first day that the format knows: what a workspace holds has no time of its own. */
const NO_DATE = 0x21;

/**
 * A zip of `entries`, in their order. Everything is held in memory and the sizes have 32 bits: the caller keeps
 * them below 65,535 files and far below 4 GB.
 */
export async function zip(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): Promise<Uint8Array<ArrayBuffer>> {
  const compress = promisify(deflateRaw);
  const body: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { path, bytes } of entries) {
    const packed = await compress(bytes);
    const name = Buffer.from(path, "utf8");
    const facts = describe({ crc: crc32(bytes), packed: packed.byteLength, size: bytes.byteLength, name });
    const local = Buffer.concat([uint32(LOCAL_SIGNATURE), uint16(VERSION), facts, uint16(0), name, packed]);
    body.push(local);
    directory.push(centralRecord(facts, name, offset));
    offset += local.byteLength;
  }
  const central = Buffer.concat(directory);
  return new Uint8Array(Buffer.concat([...body, central, endRecord(directory.length, central.byteLength, offset)]));
}

/** What both records of an entry say in the same order: flags to the length of the name. */
function describe(entry: { crc: number; packed: number; size: number; name: Buffer }): Buffer {
  return Buffer.concat([
    uint16(UTF8_NAMES),
    uint16(DEFLATED),
    uint16(0),
    uint16(NO_DATE),
    uint32(entry.crc),
    uint32(entry.packed),
    uint32(entry.size),
    uint16(entry.name.byteLength),
  ]);
}

function centralRecord(facts: Buffer, name: Buffer, offset: number): Buffer {
  const restOfZeros = Buffer.alloc(12);
  return Buffer.concat([
    uint32(CENTRAL_SIGNATURE),
    uint16(VERSION),
    uint16(VERSION),
    facts,
    restOfZeros,
    uint32(offset),
    name,
  ]);
}

function endRecord(count: number, centralBytes: number, offset: number): Buffer {
  return Buffer.concat([
    uint32(END_SIGNATURE),
    uint32(0),
    uint16(count),
    uint16(count),
    uint32(centralBytes),
    uint32(offset),
    uint16(0),
  ]);
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value);
  return buffer;
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value >>> 0);
  return buffer;
}
