import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttableProxy {
  /** The same database, by way of the proxy. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Like `cut`, in the moment in which the answer to a statement with this text is there: the client never gets it. */
  cutAnswerTo(text: string): Promise<void>;
  restore(): void;
  close(): Promise<void>;
}

/** A network between one process and its database. */
export async function startCuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const sockets = new Set<Socket>();
  let isCut = false;
  let unanswered: { readonly text: string; readonly swallowed: PromiseWithResolvers<void> } | null = null;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(port, host);
    let isAwaited = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => {
      if (unanswered !== null && bytes.includes(unanswered.text)) isAwaited = true;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!isAwaited) return void client.write(bytes);
      unanswered?.swallowed.resolve();
      cut();
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut,
    cutAnswerTo(text) {
      unanswered = { text, swallowed: Promise.withResolvers<void>() };
      return unanswered.swallowed.promise;
    },
    restore() {
      unanswered = null;
      isCut = false;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
