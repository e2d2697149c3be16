import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordingServer {
  readonly url: string;
  /** Parsed bodies, in order. */
  readonly bodies: unknown[];
  close(): Promise<void>;
}

/** A server that records requests and answers every one with the same text as an event stream. */
export async function startRecordingServer(events: readonly unknown[]): Promise<RecordingServer> {
  const bodies: unknown[] = [];
  const answer = events.map((event) => {
    const name = (event as { type?: string }).type;
    return `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  });
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString("utf8")));
    response.writeHead(200, { "content-type": "text/event-stream" }).end(answer.join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
