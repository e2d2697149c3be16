import { createServer } from "node:net";

/** A port of 127.0.0.1 that nothing listened on a moment ago. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Nobody can listen there; the message says to a person what to do. */
class CannotListen extends Error {
  name = "CannotListen";
}

/** Throws EADDRINUSE or CannotListen when nobody could listen at `host` and `port` now. */
export async function requireFreePort(host, port) {
  const server = createServer();
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, host, resolve)).catch((error) => {
    if (error.code === "EADDRINUSE") throw error;
    throw new CannotListen(
      error.code === "EACCES"
        ? `this user may not listen at port ${port} (EACCES). Set PORT to one above 1023.`
        : `${host} is no address of this machine (${error.code}). Set HOST to one that is, or to 0.0.0.0 for all.`,
    );
  });
  await new Promise((resolve) => server.close(resolve));
}
