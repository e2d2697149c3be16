import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { SharedError } from "@/lib/schema/shared-error";

/** An address that a request must not reach, or an unusable response; `message` is meant for the caller's caller. */
export class OutgoingRequestRefused extends SharedError {
  static override readonly kind = "OutgoingRequestRefused";
}

/** The target of a request: every address of the name has been checked, and the first is dialled. */
export interface Destination {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

export interface OutgoingRules {
  /** `host:port` entries that may be reached although they are private. */
  readonly allowedPrivateHosts: readonly string[];
  /** All addresses of a name; default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly { address: string; family: number }[]>;
}

interface OutgoingRequest extends OutgoingRules {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Decoded as its content type says, otherwise as UTF-8. */
  readonly text: string;
  /** As the header has it; empty without one. */
  readonly contentType: string;
}

/**
 * One request to a URL written by someone else: the name is resolved here, each address is checked against numeric
 * ranges, and the connection is pinned to the address that was checked. Redirects are not followed. Throws
 * OutgoingRequestRefused for a private address, a redirect, and a response above `maxBytes`.
 */
export async function safeFetch(href: string, options: OutgoingRequest): Promise<OutgoingAnswer> {
  const destination = await checkDestination(href, options);
  // Only with the first request: a start needs none of its modules.
  const { Agent, request } = await import("undici");
  const dispatcher = new Agent({ connect: { lookup: pinTo(destination) }, maxResponseSize: options.maxBytes });
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    const { method, headers, body } = options;
    const answer = await request(destination.url, { method, headers, body, dispatcher, signal });
    if (answer.statusCode >= 300 && answer.statusCode < 400) {
      await answer.body.dump();
      throw new OutgoingRequestRefused(`The address answered with a redirect (${answer.statusCode}).`);
    }
    const contentType = [answer.headers["content-type"] ?? ""].flat().join(", ");
    const text = decoderOf(contentType).decode(await answer.body.arrayBuffer());
    return { status: answer.statusCode, text, contentType };
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    if (timeout.aborted) throw new OutgoingRequestRefused(`No answer within ${options.timeoutMs} ms.`);
    throw explain(error, options.maxBytes);
  } finally {
    await dispatcher.destroy();
  }
}

function decoderOf(contentType: string): TextDecoder {
  const charset = /charset="?([\w-]{1,40})/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Resolves and checks without connecting. Throws OutgoingRequestRefused. */
export async function checkDestination(href: string, rules: OutgoingRules): Promise<Destination> {
  if (!URL.canParse(href)) throw new OutgoingRequestRefused("This is not a URL.");
  const url = new URL(href);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new OutgoingRequestRefused("Only http:// and https:// addresses can be called.");
  }
  if (url.username || url.password) throw new OutgoingRequestRefused("The URL must not contain a user or password.");
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await resolveAll(hostname, rules);
  const isAllowed = isAllowedPrivate(hostname, portOf(url), rules);
  const refused = addresses.find(({ address }) => !isAllowed && !isPublicAddress(address));
  if (refused) {
    throw new OutgoingRequestRefused(
      `${url.host} is a private address. An administrator can allow it with RINGMASTER_ALLOWED_PRIVATE_HOSTS=${url.hostname}:${portOf(url)}.`,
    );
  }
  const [first] = addresses;
  if (!first) throw new OutgoingRequestRefused(`${url.hostname} has no address.`);
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

/** Whether exactly this port of the host may be reached although it is private; `hostname` has no brackets. */
export function isAllowedPrivate(hostname: string, port: string, { allowedPrivateHosts }: OutgoingRules): boolean {
  return allowedPrivateHosts.includes(`${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`);
}

/** All IPv6 allocated to the open internet; other ranges may contain an IPv4 address (`::127.0.0.1`). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public by its range, but inside of every machine of Azure: it answers with what is theirs alone. */
const AZURE_PLATFORM = "168.63.129.16";

/** True for globally routable unicast; IPv4 inside IPv6 is checked as IPv4. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6)) return false;
  return parsed.range() === "unicast" && parsed.toString() !== AZURE_PLATFORM;
}

async function resolveAll(hostname: string, { resolve }: OutgoingRules) {
  if (ipaddr.isValid(hostname)) return [{ address: hostname, family: hostname.includes(":") ? 6 : 4 }];
  try {
    return await (resolve ?? ((name) => lookup(name, { all: true })))(hostname);
  } catch {
    throw new OutgoingRequestRefused(`The name ${hostname} can't be resolved.`);
  }
}

/** Answers every lookup with the checked address, so that no second resolution can change it. */
export function pinTo({ address, family }: Destination): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

function portOf(url: URL): string {
  return url.port || (url.protocol === "https:" ? "443" : "80");
}

/** What failed on the way, worded for the author of the address. */
export function explain(error: unknown, maxBytes: number): Error {
  if (error instanceof OutgoingRequestRefused) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return new OutgoingRequestRefused(`The answer is larger than ${maxBytes.toLocaleString("en-US")} bytes.`);
  }
  return new OutgoingRequestRefused(`The address can't be reached${code ? ` (${code})` : ""}.`);
}
