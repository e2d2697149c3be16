interface KeptBytes {
  /** How many bytes of the beginning to keep. */
  readonly head: number;
  /** How many bytes of the end to keep; 0 if late output does not matter. */
  readonly tail: number;
}

/** Keeps the beginning and the end of the output and counts the rest. */
export class OutputCollector {
  #head: Uint8Array[] = [];
  #kept = 0;
  /** The newest chunks, with at least the number of bytes to keep. */
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #received = 0;
  readonly #keeps: KeptBytes;

  constructor(keeps: KeptBytes) {
    this.#keeps = keeps;
  }

  get receivedBytes(): number {
    return this.#received;
  }

  get truncated(): boolean {
    return this.#leftOut > 0;
  }

  add(chunk: Uint8Array): void {
    this.#received += chunk.byteLength;
    const part = chunk.subarray(0, this.#keeps.head - this.#kept);
    if (part.byteLength > 0) {
      this.#head.push(part);
      this.#kept += part.byteLength;
    }
    this.#addToTail(chunk.subarray(part.byteLength));
  }

  /**
   * The output, with a line about the omitted part. A character cut in half is dropped; invalid bytes become U+FFFD.
   */
  text(): string {
    const tail = Buffer.concat(this.#tail);
    if (!this.truncated) return decode(Buffer.concat([...this.#head, tail]), "whole");
    const start = decode(Buffer.concat(this.#head), "cut");
    if (this.#keeps.tail === 0) return start;
    const end = decode(withoutCutCharacter(tail.subarray(tail.byteLength - this.#keeps.tail)), "whole");
    return `${start}\n\n... (${this.#leftOut} bytes left out) ...\n\n${end}`;
  }

  get #leftOut(): number {
    return this.#received - this.#keeps.head - this.#keeps.tail;
  }

  #addToTail(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return;
    this.#tail.push(chunk);
    this.#tailBytes += chunk.byteLength;
    for (
      let [oldest] = this.#tail;
      oldest && this.#tailBytes - oldest.byteLength >= this.#keeps.tail;
      [oldest] = this.#tail
    ) {
      this.#tail.shift();
      this.#tailBytes -= oldest.byteLength;
    }
  }
}

function decode(bytes: Uint8Array, end: "whole" | "cut"): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: end === "cut" });
}

/** Drops bytes 10xxxxxx at the start, which belong to a cut character; there are at most three of them. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, 4).findIndex((byte) => byte >> 6 !== 0b10);
  return start === -1 ? bytes : bytes.subarray(start);
}
