/** A piece of what a program in a container wrote. */
export interface OutputPiece {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Buffer;
}

const HEADER_BYTES = 8;
const STDERR = 2;

/**
 * Separates the streams of a connection without a terminal: each frame has a header of eight bytes, the stream's number
 * first and the payload's length in the last four. A frame may arrive in any number of parts, split anywhere; its
 * payload is passed on as it comes. Throws if the connection ends within a frame, as when the engine dies.
 */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<OutputPiece> {
  const frame = new Frame();
  for await (const chunk of source) {
    for (let rest = chunk; rest.byteLength > 0; ) {
      const bytes = frame.take(rest);
      rest = rest.subarray(frame.taken);
      if (bytes !== null) yield { stream: frame.stream, bytes };
    }
  }
  if (!frame.isWhole) throw new Error("The output ended within a frame.");
}

/** The frame that is arriving. */
class Frame {
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #left = 0;
  /** How much the last call of `take` has used. */
  taken = 0;

  get stream(): OutputPiece["stream"] {
    return this.#header[0] === STDERR ? "stderr" : "stdout";
  }

  get isWhole(): boolean {
    return this.#headerBytes === 0;
  }

  /** Takes what belongs to this frame from the start of `bytes`; returns what of it is payload. */
  take(bytes: Buffer): Buffer | null {
    return this.#headerBytes < HEADER_BYTES ? this.#takeHeader(bytes) : this.#takePayload(bytes);
  }

  #takeHeader(bytes: Buffer): null {
    this.taken = bytes.copy(this.#header, this.#headerBytes);
    this.#headerBytes += this.taken;
    if (this.#headerBytes < HEADER_BYTES) return null;
    this.#left = this.#header.readUInt32BE(4);
    if (this.#left === 0) this.#headerBytes = 0;
    return null;
  }

  #takePayload(bytes: Buffer): Buffer {
    const payload = bytes.subarray(0, this.#left);
    this.taken = payload.byteLength;
    this.#left -= this.taken;
    if (this.#left === 0) this.#headerBytes = 0;
    return payload;
  }
}
