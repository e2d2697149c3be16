/** Keeps the first `maxBytes` of what arrives and counts the rest. */
export class OutputCollector {
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #received = 0;

  constructor(private readonly maxBytes: number) {}

  get receivedBytes(): number {
    return this.#received;
  }

  get truncated(): boolean {
    return this.#received > this.maxBytes;
  }

  add(chunk: Uint8Array): void {
    this.#received += chunk.byteLength;
    const part = chunk.subarray(0, this.maxBytes - this.#kept);
    if (part.byteLength === 0) return;
    this.#chunks.push(part);
    this.#kept += part.byteLength;
  }

  /** A character that the limit has cut is left out; one that the command wrote broken becomes U+FFFD. */
  text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(this.#chunks), {
      stream: this.truncated,
    });
  }
}
