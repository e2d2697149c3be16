import "server-only";
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

/** Ranges that can't contain a provider: addresses of cloud metadata services, multicast, broadcast, unspecified. */
const REFUSED_RANGES: ReadonlySet<string> = new Set(["linkLocal", "multicast", "broadcast", "unspecified"]);
const METADATA_IPV6 = "fd00:ec2::254";

type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Why models can't be called at this address; null if they can. An administrator may use private and loopback
 * addresses, where Ollama and vLLM usually run. A name that doesn't resolve now may resolve later; calls then report
 * the problem.
 */
export async function problemOfBaseUrl(baseUrl: string, resolve: Resolve = resolveAll): Promise<string | null> {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) return "must be an http:// or https:// address";
  if (url.username || url.password) return "must not contain a user or password; enter the key as the key";
  if (url.search || url.hash) return "must not contain ? or #";
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = ipaddr.isValid(hostname) ? [hostname] : await resolve(hostname).catch(() => []);
  const refused = addresses.find(isNoProvider);
  return refused === undefined ? null : `${url.host} is ${refused}, where no provider can be`;
}

function isNoProvider(address: string): boolean {
  if (!ipaddr.isValid(address)) return true;
  const parsed = ipaddr.process(address);
  return REFUSED_RANGES.has(parsed.range()) || parsed.toString() === METADATA_IPV6;
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
