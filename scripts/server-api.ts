// The commands' connection to the running server.
import { z } from "zod";
import { commandEnvironment } from "./command-environment";
import { typed } from "./installation";
import { Refused } from "./refused";

const Failure = z.object({ error: z.object({ message: z.string() }) });
const ANY = ["0.0.0.0", "::"];

interface Server {
  readonly address: string;
  readonly key: string;
}

/** The server that the environment names, by default this machine's. Throws a sentence if there is no key, such as `needed`. */
export function findServer(data?: string, needed = "the key of an administrator"): Server {
  const { host, port, adminApiKey } = commandEnvironment(data);
  const key = process.env.RINGMASTER_API_KEY ?? adminApiKey;
  if (!key) throw new Refused(`set RINGMASTER_API_KEY to ${needed} (My settings, API keys).`);
  return { address: process.env.RINGMASTER_URL?.replace(/\/+$/, "") ?? serverAddress(host, port), key };
}

/** The server's address, according to its own variables. */
function serverAddress(host: string, port: number): string {
  const name = ANY.includes(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Calls its API with JSON, and returns JSON or, where that is what it has, text; if it refuses, throws its message. */
export function callServer({ address, key }: Server) {
  return async (method: string, url: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`${address}${url}`, { method, headers, ...sent }).catch(() => null);
    if (!reply) throw new Refused(`no server answers at ${address}. Start it with ${typed("start")}.`);
    const isJson = reply.headers.get("content-type")?.includes("json") ?? true;
    const answer: unknown = await (isJson ? reply.json() : reply.text()).catch(() => null);
    if (reply.ok) return answer;
    const failure = Failure.safeParse(answer);
    throw new Refused(failure.success ? failure.data.error.message : `the server answered ${reply.status}.`);
  };
}
