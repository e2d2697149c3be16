import "server-only";
import type { Readable } from "node:stream";
import { ReadableStream as NodeReadableStream } from "node:stream/web";

/**
 * A Node stream as the body of a reply, read no faster than it is sent. A client that goes away ends the stream:
 * `Readable.toWeb` would throw outside of any request if the stream had more to give at that moment.
 */
export function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return NodeReadableStream.from<Uint8Array>(stream) as ReadableStream<Uint8Array>;
}
