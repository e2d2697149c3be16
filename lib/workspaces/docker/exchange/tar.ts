/** An entry of a tar archive as it is exchanged with a container. Other kinds (FIFOs, devices) are `other`. */
export interface TarEntry {
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "hard link" | "other";
  /** Permissions only. */
  readonly mode: number;
  /** Zero for everything but files. */
  readonly sizeBytes: number;
  /** Where a link points; empty otherwise. */
  readonly target: string;
}

const BLOCK = 512;
const NAME_BYTES = 100;
const FILE = "0";
const TYPES = { file: FILE, folder: "5", link: "2" } as const;
const MAX_NAME_RECORD_BYTES = 2 ** 20;

/** What stands before an entry's content. Long names are written as GNU tar does, which BusyBox reads too. */
export function tarHeader(entry: TarEntry & { readonly kind: keyof typeof TYPES }): Buffer {
  const { path, target } = entry;
  return Buffer.concat([
    ...(Buffer.byteLength(path) > NAME_BYTES ? longName("L", path) : []),
    ...(Buffer.byteLength(target) > NAME_BYTES ? longName("K", target) : []),
    block({ name: path, type: TYPES[entry.kind], mode: entry.mode, sizeBytes: entry.sizeBytes, target }),
  ]);
}

/** The zeros after a content of this length. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((BLOCK - (sizeBytes % BLOCK)) % BLOCK);
}

export const TAR_END = Buffer.alloc(2 * BLOCK);

function longName(type: "L" | "K", name: string): Buffer[] {
  const bytes = Buffer.from(`${name}\0`);
  const header = block({ name: "././@LongLink", type, mode: 0, sizeBytes: bytes.byteLength, target: "" });
  return [header, bytes, tarPadding(bytes.byteLength)];
}

interface Block {
  readonly name: string;
  readonly type: string;
  readonly mode: number;
  readonly sizeBytes: number;
  readonly target: string;
}

function block({ name, type, mode, sizeBytes, target }: Block): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  bytes.set(Buffer.from(name).subarray(0, NAME_BYTES), 0);
  bytes.write(octal(mode, 7), 100);
  bytes.write(octal(0, 7), 108);
  bytes.write(octal(0, 7), 116);
  bytes.write(octal(sizeBytes, 11), 124);
  bytes.write(octal(Math.floor(Date.now() / 1_000), 11), 136);
  bytes.write("        ", 148);
  bytes.write(type, 156);
  bytes.set(Buffer.from(target).subarray(0, NAME_BYTES), 157);
  bytes.write("ustar  ", 257);
  bytes.write(
    octal(
      bytes.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  return bytes;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, "0")}\0`;
}

/** An entry being read. `content` must be read or left before the next entry is asked for; what is left is skipped. */
export interface ReadEntry extends TarEntry {
  readonly content: AsyncGenerator<Buffer>;
}

/**
 * The entries of an archive from an untrusted source: names are passed on as they stand. Throws for an archive that
 * ends early or has no valid headers.
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry> {
  const bytes = new ByteSource(source);
  let named: Named = {};
  for (let header = await bytes.take(BLOCK); !isEnd(header); header = await bytes.take(BLOCK)) {
    const found = readBlock(header);
    const size = named.size ?? found.sizeBytes;
    if (NAME_RECORDS.has(found.type)) {
      named = { ...named, ...(await readNameRecord(bytes, found.type, size)) };
      continue;
    }
    const content = bytes.chunks(size);
    yield { ...describe(found, named, size), content };
    for await (const _ of content);
    await bytes.take((BLOCK - (size % BLOCK)) % BLOCK);
    named = {};
  }
  await bytes.drain();
}

interface Named {
  path?: string;
  target?: string;
  size?: number;
}

const NAME_RECORDS = new Set(["L", "K", "x", "g"]);

async function readNameRecord(bytes: ByteSource, type: string, sizeBytes: number): Promise<Named> {
  if (sizeBytes > MAX_NAME_RECORD_BYTES) throw new Error("A name in the archive is too long.");
  const content = await bytes.take(sizeBytes);
  await bytes.take((BLOCK - (sizeBytes % BLOCK)) % BLOCK);
  if (type === "g") return {};
  if (type === "x") return readPax(content);
  const name = readText(content, 0, content.byteLength);
  return type === "L" ? { path: name } : { target: name };
}

/** POSIX records, `<length> <key>=<value>\n` each; the length counts the whole record. */
function readPax(content: Buffer): Named {
  const named: Named = {};
  for (let at = 0; at < content.byteLength; ) {
    const length = Number.parseInt(content.toString("latin1", at, at + 20), 10);
    if (!(length > 0)) throw new Error("A name in the archive can't be read.");
    const record = content.toString("utf8", at, at + length - 1);
    const key = record.slice(record.indexOf(" ") + 1, record.indexOf("="));
    const value = record.slice(record.indexOf("=") + 1);
    if (key === "path") named.path = value;
    if (key === "linkpath") named.target = value;
    if (key === "size") named.size = Number(value);
    at += length;
  }
  return named;
}

function readBlock(header: Buffer): Block {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== readNumber(header, 148, 8)) throw new Error("The archive is damaged.");
  const isPosix = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? readText(header, 345, 155) : "";
  const name = readText(header, 0, NAME_BYTES);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    type: String.fromCharCode(header[156] ?? 0),
    mode: readNumber(header, 100, 8) & 0o777,
    sizeBytes: readNumber(header, 124, 12),
    target: readText(header, 157, NAME_BYTES),
  };
}

function describe(found: Block, named: Named, sizeBytes: number): TarEntry {
  const kind = KINDS[found.type] ?? "other";
  const path = named.path ?? found.name;
  return { path, kind, mode: found.mode, sizeBytes, target: named.target ?? found.target };
}

const KINDS: Readonly<Record<string, TarEntry["kind"]>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "hard link",
  "2": "link",
  "5": "folder",
};

function readText(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? length : end);
}

/** Octal digits, or a binary number marked by the first bit. */
function readNumber(header: Buffer, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  if ((field[0] ?? 0) & 0x80) return Number(BigInt(`0x${field.toString("hex", 1)}`));
  return Number.parseInt(readText(header, at, length).trim() || "0", 8);
}

function isEnd(header: Buffer): boolean {
  return header.every((byte) => byte === 0);
}

/** Bytes by the number instead of by the chunk. */
class ByteSource {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.chunks(count)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *chunks(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.byteLength === 0) this.#rest = await this.#next();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.byteLength);
      left -= part.byteLength;
      yield part;
    }
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#source.next();
    if (done) throw new Error("The archive ended early.");
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
