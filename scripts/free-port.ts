import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { BLOCKED_PORTS } from "./blocked-ports";
import { typed } from "./installation";

const HIGHEST_PORT = 65_535;

/** A port of 127.0.0.1 on which nothing listened a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await server[Symbol.asyncDispose]();
  return port;
}

/** Nobody can listen there; the message tells a person what to do. */
class CannotListen extends Error {
  override readonly name = "CannotListen";
}

/** Throws EADDRINUSE or CannotListen if it is currently impossible to listen at `host` and `port`. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") throw error;
    throw new CannotListen(
      code === "EACCES"
        ? `this user may not listen on port ${port} (EACCES). Take one above 1023: ${otherPort(port + 3_000)}`
        : `${host} is not an address of this machine (${code}). Set --host or HOST to one that is, or to 0.0.0.0 for all.`,
    );
  }
  await server[Symbol.asyncDispose]();
}

/** Throws CannotListen if browsers refuse to connect to the port; a process without pages may listen there. */
export function requireBrowserPort(port: number): void {
  if (!BLOCKED_PORTS.has(port)) return;
  throw new CannotListen(`browsers refuse to connect to port ${port}. Take another port: ${otherPort(port + 1)}`);
}

/**
 * The two ways to start on `port`, as a person types them: on the next one that browsers open, or on 3000 where no port
 * has that number.
 */
export function otherPort(port: number): string {
  if (BLOCKED_PORTS.has(port)) return otherPort(port + 1);
  const free = port > HIGHEST_PORT ? 3_000 : port;
  return `\`${typed(`start --port ${free}`)}\`, or set PORT=${free}.`;
}
