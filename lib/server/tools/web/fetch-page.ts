import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { Agent, request } from "undici";
import { isListed } from "@/lib/permissions/known-addresses";
import { DocumentRefused } from "@/lib/server/files/documents/document";
import { readDocument } from "@/lib/server/files/documents/read-document";
import {
  checkDestination,
  explain,
  OutgoingRequestRefused,
  type OutgoingRules,
  pinTo,
} from "@/lib/server/platform/safe-fetch";
import type { FetchedPage } from "@/lib/tools/web/web-tools";

export interface PageLimits extends OutgoingRules {
  readonly maxBytes: number;
  /** The limit for the whole fetch, redirects included. */
  readonly timeoutMs: number;
  /** The allowed hosts: `example.org` or `*.example.org`; empty for all. */
  readonly hosts: readonly string[];
}

const MAX_REDIRECTS = 5;
const HEADERS = {
  accept: "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,application/json;q=0.8",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "Ringmaster/1.0 (+web_fetch)",
};

/**
 * A web page as markdown or text. Every address on the way is checked as `safeFetch` does; content beyond the limit is
 * cut and marked as such. Throws OutgoingRequestRefused and DocumentRefused.
 */
export async function fetchPage(href: string, limits: PageLimits, signal: AbortSignal): Promise<FetchedPage> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const both = AbortSignal.any([signal, timeout]);
  try {
    const answer = await follow(href, limits, both);
    return await toPage(answer, limits, both);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (timeout.aborted)
      throw new OutgoingRequestRefused(`The page did not come within ${limits.timeoutMs / 1_000} s.`);
    if (error instanceof DocumentRefused) throw new OutgoingRequestRefused(`The page can't be read. ${error.message}`);
    throw error;
  }
}

interface Answer {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
  /** The answer exceeded `maxBytes`, or the connection broke. */
  readonly cut: "too large" | "broken" | null;
}

async function follow(href: string, limits: PageLimits, signal: AbortSignal): Promise<Answer> {
  let next = href;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const found = await ask(next, limits, signal);
    if (!("location" in found)) return found;
    next = found.location;
  }
  throw new OutgoingRequestRefused(`The page redirects more than ${MAX_REDIRECTS} times.`);
}

async function ask(href: string, limits: PageLimits, signal: AbortSignal): Promise<Answer | { location: string }> {
  refuseHost(href, limits.hosts);
  const destination = await checkDestination(href, limits);
  const { url } = destination;
  const dispatcher = new Agent({ connect: { lookup: pinTo(destination) } });
  try {
    const answer = await request(url, { method: "GET", headers: HEADERS, dispatcher, signal });
    const { statusCode: status, headers, body } = answer;
    if (status >= 300 && status < 400 && typeof headers.location === "string") {
      if (!URL.canParse(headers.location, url)) throw new OutgoingRequestRefused("The page redirects to no address.");
      return { location: new URL(headers.location, url).href };
    }
    if (status < 200 || status >= 300) throw new OutgoingRequestRefused(`${url.host} answered ${status}.`);
    const { bytes, cut } = await readUpTo(unpacked(body, headers), limits.maxBytes);
    return { url, headers, bytes, cut };
  } catch (error) {
    throw signal.aborted ? signal.reason : explain(error, limits.maxBytes);
  } finally {
    await dispatcher.destroy();
  }
}

function refuseHost(href: string, hosts: readonly string[]): void {
  if (hosts.length === 0 || !URL.canParse(href)) return;
  const { hostname } = new URL(href);
  if (isListed(hostname, hosts)) return;
  throw new OutgoingRequestRefused(`This agent may read pages of ${hosts.join(", ")} only, not of ${hostname}.`);
}

function unpacked(body: Readable, { "content-encoding": encoding = "" }: IncomingHttpHeaders): Readable {
  const unpack =
    encoding === "br"
      ? createBrotliDecompress()
      : /^(?:x-)?(?:gzip|deflate)$/.test(`${encoding}`)
        ? createUnzip()
        : null;
  if (unpack === null) return body;
  body.on("error", (error) => unpack.destroy(error));
  return body.pipe(unpack);
}

/** Keeps what has arrived, whatever ends the stream except the reader's own abort. */
async function readUpTo(stream: Readable, maxBytes: number): Promise<Pick<Answer, "bytes" | "cut">> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.byteLength;
      if (size > maxBytes) return { bytes: new Uint8Array(Buffer.concat(chunks)), cut: "too large" };
    }
  } catch (error) {
    if (size === 0 || (error instanceof Error && error.name === "AbortError")) throw error;
    return { bytes: new Uint8Array(Buffer.concat(chunks)), cut: "broken" };
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks)), cut: null };
}

async function toPage(
  { url, headers, bytes, cut }: Answer,
  { maxBytes }: PageLimits,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const address = url.href;
  const type = (headers["content-type"] ?? "text/html").split(";")[0]?.trim().toLowerCase() ?? "";
  const facts = { address, ...(cut === null ? {} : { notice: noticeOf(cut, maxBytes) }) };
  if (type === "application/pdf") {
    if (cut !== null)
      throw new OutgoingRequestRefused(`The PDF is larger than ${maxBytes.toLocaleString("en-US")} bytes.`);
    return { ...facts, ...(await readDocument({ kind: "pdf", bytes, signal })) };
  }
  if (type === "text/html" || type === "application/xhtml+xml") {
    return { ...facts, ...(await readDocument({ kind: "html", bytes, address, signal })) };
  }
  if (!type.startsWith("text/") && !/^application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml)$/.test(type)) {
    throw new OutgoingRequestRefused(`The address answers with ${type}. Only pages, text and PDFs are read.`);
  }
  return { ...facts, title: null, text: new TextDecoder().decode(bytes) };
}

function noticeOf(cut: "too large" | "broken", maxBytes: number): string {
  if (cut === "broken") return "[The connection broke: the rest of the page is missing.]";
  return `[The page is larger than ${maxBytes.toLocaleString("en-US")} bytes: the rest is missing.]`;
}
