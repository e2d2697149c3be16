import "server-only";
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

/** No provider is there: addresses of a cloud's metadata service, of everybody, of nobody. */
const REFUSED_RANGES: ReadonlySet<string> = new Set(["linkLocal", "multicast", "broadcast", "unspecified"]);
const METADATA_IPV6 = "fd00:ec2::254";

type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Why models can't be asked at this address; null when they can. An administrator may name private and loopback
 * addresses, where Ollama and vLLM are at home. A name that is unknown now may be known later: calling it says so.
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
