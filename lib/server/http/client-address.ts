import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

const HEADER = "x-forwarded-for";
/** Set by `nameClient` alone: the request came from this machine and through no proxy. */
const FROM_HERE = "x-ringmaster-from-here";
/** What reverse proxies add. One that adds nothing at all looks like a program on its machine. */
const PROXY_HEADERS = [HEADER, "forwarded", "via", "x-real-ip", "x-forwarded-host", "x-forwarded-proto"] as const;

/**
 * Sets `x-forwarded-for` to the client's address alone, where throttles and sessions read it: the client's own value
 * would let it choose its identity. Notes whether the request came from this machine (`isFromHere`).
 */
export function nameClient(request: IncomingMessage): void {
  const peer = request.socket.remoteAddress;
  const forwarded = [request.headers[HEADER] ?? []].flat().join(",");
  const address = findClientAddress(peer, forwarded, env().trustedProxies);
  if (isLoopback(peer) && PROXY_HEADERS.every((name) => request.headers[name] === undefined)) {
    request.headers[FROM_HERE] = "1";
  } else delete request.headers[FROM_HERE];
  if (forwarded !== "" && peer !== undefined && !isTrusted(peer, env().trustedProxies)) hintAtProxies(peer);
  if (address === undefined) delete request.headers[HEADER];
  else request.headers[HEADER] = address;
}

/**
 * Whether a program on this machine sent the request itself. False behind a reverse proxy on this machine, whoever its
 * client is.
 */
export function isFromHere(headers: Headers): boolean {
  return headers.get(FROM_HERE) === "1";
}

function isLoopback(peer: string | undefined): boolean {
  return peer !== undefined && ipaddr.isValid(peer) && ipaddr.process(peer).range() === "loopback";
}

/**
 * The last address of the chain that is not a trusted proxy's: every trusted proxy vouches for the entry that it wrote,
 * the one before its own. Undefined only without a peer.
 */
export function findClientAddress(
  peer: string | undefined,
  forwarded: string,
  trustedProxies: readonly string[],
): string | undefined {
  if (peer === undefined) return undefined;
  let client = peer;
  for (const entry of forwarded.split(",").toReversed()) {
    const address = entry.trim();
    if (!isTrusted(client, trustedProxies) || !ipaddr.isValid(address)) break;
    client = address;
  }
  return ipaddr.isValid(client) ? ipaddr.process(client).toString() : client;
}

function isTrusted(text: string, trustedProxies: readonly string[]): boolean {
  if (trustedProxies.length === 0 || !ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return trustedProxies.some((entry) => {
    const network = entry.includes("/") ? ipaddr.parseCIDR(entry) : wholeAddress(entry);
    return network[0].kind() === address.kind() && address.match(network);
  });
}

function wholeAddress(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(entry);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** Behind an unlisted proxy all clients look like one; the log warns about it once. */
function hintAtProxies(peer: string): void {
  const hinted = processState("proxy-hint", () => ({ isDone: false }));
  if (hinted.isDone) return;
  hinted.isDone = true;
  logger().warn(
    { peer },
    "X-Forwarded-For is ignored: if this address is your reverse proxy, name it in RINGMASTER_TRUSTED_PROXIES",
  );
}
