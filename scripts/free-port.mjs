import { createServer } from "node:net";

/** A port of 127.0.0.1 that nothing listened on a moment ago. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Throws the error of `listen` (EADDRINUSE, EACCES) when nobody could listen at `host` and `port` now. */
export async function requireFreePort(host, port) {
  const server = createServer();
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  await new Promise((resolve) => server.close(resolve));
}
