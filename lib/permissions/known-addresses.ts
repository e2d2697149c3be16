/** The sources of addresses that a call may open without asking. */
export interface KnownAddresses {
  /** The texts that people wrote in the conversation. */
  readonly texts: readonly string[];
  /** The addresses that the run's searches found. */
  readonly found: readonly string[];
  /** Tools of outside services of which a person has allowed a call in the thread. */
  readonly allowedTools: readonly string[];
}

const PROTOCOLS = ["http:", "https:", "ws:", "wss:", "ftp:"];
const SCHEME = /(?:https?|wss?|ftp):[\\/]/giu;
const BARE = /^(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d+)?(?:[/?#].*)?$/iu;
/** Names of arguments whose value may be an address without a scheme. */
const ADDRESS_ARGUMENT = /(?:^|_|-)(?:url|uri|href|link|address|site|website|page|domain|host)s?$/iu;
const BEFORE = "([{<*_~\"'`";
const BEHIND = ".,;:!?)]}>*_~\"'`";
const MAX_BARE_CHARS = 8_192;

/**
 * The host of the first address in the arguments that came neither from a person nor from a search, and that `hosts`
 * does not list; null if there is none. The call sends an address, with any data in it, off this server. Pure.
 */
export function unknownAddress(
  args: Readonly<Record<string, unknown>>,
  known: Pick<KnownAddresses, "texts" | "found">,
  hosts: readonly string[],
): string | null {
  const addresses = addressesIn(args).filter((readings) => !readings.some(({ hostname }) => isListed(hostname, hosts)));
  if (addresses.length === 0) return null;
  const keys = new Set([...known.texts.flatMap(addressesInText), ...known.found.flatMap(readWhole)].map(keyOf));
  const unknown = addresses.find((readings) => !readings.some((url) => keys.has(keyOf(url))));
  return unknown?.[0]?.host ?? null;
}

/** Whether the arguments contain an address. */
export function hasAddress(args: Readonly<Record<string, unknown>>): boolean {
  return addressesIn(args).length > 0;
}

/** Whether the list contains the host: `example.org`, or `*.example.org` for all its subdomains. */
export function isListed(hostname: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => (host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host));
}

/** Each address with all its possible readings, because punctuation may follow it directly. */
function addressesIn(value: unknown, name = ""): URL[][] {
  if (typeof value === "string") return addressesInArgument(value, name);
  if (Array.isArray(value)) return value.flatMap((entry) => addressesIn(entry, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [...addressesIn(key), ...addressesIn(entry, key)]);
}

function addressesInArgument(text: string, name: string): URL[][] {
  const bare = text.trim();
  const isAddress = ADDRESS_ARGUMENT.test(name);
  const whole = isAddress || !/\s/u.test(bare) ? readWhole(bare) : [];
  if (whole.length > 0) return [whole];
  if (isAddress) {
    if (/^[\\/]{2}/u.test(bare)) return [readWhole(`https:${bare}`)].filter((readings) => readings.length > 0);
    if (BARE.test(bare)) return [readWhole(`https://${bare}`)].filter((readings) => readings.length > 0);
  }
  return wordsOf(text).flatMap(schemedIn);
}

function addressesInText(text: string): URL[] {
  return wordsOf(text).flatMap((word) => {
    const schemed = schemedIn(word).flat();
    return schemed.length > 0 ? schemed : bareIn(word);
  });
}

function wordsOf(text: string): string[] {
  return text.split(/[\s<>"`]+/u);
}

function schemedIn(word: string): URL[][] {
  const starts = [...word.matchAll(SCHEME)].map(({ index }) => index);
  return starts.map((start, at) => readings(word.slice(start, starts[at + 1]))).filter((found) => found.length > 0);
}

/** `example.org/page`, as people write it. */
function bareIn(word: string): URL[] {
  let start = 0;
  while (start < word.length && BEFORE.includes(word[start] ?? "")) start += 1;
  const bare = word.slice(start);
  return bare.length <= MAX_BARE_CHARS && BARE.test(withoutEnd(bare)) ? readings(`https://${bare}`) : [];
}

/** Linear time, because a model may have written the text. */
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && BEHIND.includes(word[end - 1] ?? "")) end -= 1;
  return word.slice(0, end);
}

function readings(address: string): URL[] {
  return [...new Set([withoutEnd(address), address])].flatMap(readWhole);
}

function readWhole(text: string): URL[] {
  const url = URL.parse(text.trim());
  return url !== null && PROTOCOLS.includes(url.protocol) && url.hostname !== "" ? [url] : [];
}

/** The same for addresses that differ only in parts that can't carry data: the scheme, a trailing slash. */
function keyOf({ username, password, host, pathname, search, hash }: URL): string {
  return [username, password, host, pathname.replace(/\/$/u, ""), search, hash].join(" ");
}
