interface KeptBytes {
  /** Of the beginning. */
  readonly head: number;
  /** Of the end; 0 where nothing that comes late matters. */
  readonly tail: number;
}

/** Keeps the first and the last of what arrives and counts the rest. */
export class OutputCollector {
  #head: Uint8Array[] = [];
  #kept = 0;
  /** The newest chunks, at least as many bytes as may stay. */
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

  /** With a line about what is missing. A character that is cut is left out; one that came broken becomes U+FFFD. */
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

/** Bytes 10xxxxxx at the start belong to a character whose beginning is missing; it has at most three of them. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, 4).findIndex((byte) => byte >> 6 !== 0b10);
  return start === -1 ? bytes : bytes.subarray(start);
}
