import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch as undiciFetch } from "undici";
import {
  checkDestination,
  isAllowedPrivate,
  isPublicAddress,
  OutgoingRequestRefused,
  type OutgoingRules,
} from "./safe-fetch";

/** A `fetch` for an address written by somebody else; `close` ends its connections. */
export interface GuardedFetch {
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/**
 * `fetch` with the rules of `safeFetch`, for protocols that stream and keep connections open: each request's address is
 * checked, and each connection is made to an address that was checked for it. Redirects are not followed.
 */
export function createGuardedFetch(rules: OutgoingRules): GuardedFetch {
  const dispatcher = createGuardedDispatcher(rules);
  return {
    async fetch(input, init = {}) {
      await checkDestination(String(input), rules);
      const request = { ...init, redirect: "manual", dispatcher } as Parameters<typeof undiciFetch>[1];
      return (await undiciFetch(String(input), request)) as unknown as Response;
    },
    close: () => dispatcher.destroy(),
  };
}

/** Only connects to checked addresses; callers first check the address of each request (`checkDestination`). */
export function createGuardedDispatcher(rules: OutgoingRules): Agent {
  return new Agent({ connect: guardedConnect(rules), bodyTimeout: 0, headersTimeout: 0 });
}

/** Checks again as the connection is made, for its own port: an allowed `host:port` allows no other port of the host. */
function guardedConnect(rules: OutgoingRules): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>();
  return (options, callback) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, "");
    const port = options.port || (options.protocol === "https:" ? "443" : "80");
    const isAllowed = isAllowedPrivate(hostname, port, rules);
    // Numeric addresses are not looked up.
    if (isIP(hostname) > 0 && !isAllowed && !isPublicAddress(hostname)) {
      return callback(new OutgoingRequestRefused(`${hostname} is a private address.`), null);
    }
    const key = `${options.protocol} ${isAllowed}`;
    const connector = connectors.get(key) ?? buildConnector({ lookup: checkedLookup(rules, isAllowed) });
    connectors.set(key, connector);
    connector(options, callback);
  };
}

/** `isAllowed`: the name may lead to private addresses. */
function checkedLookup({ resolve }: OutgoingRules, isAllowed: boolean): LookupFunction {
  const find = resolve ?? ((name: string) => lookup(name, { all: true }));
  return (hostname, options, callback) => {
    find(hostname).then(
      (addresses) => {
        const bad = isAllowed ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
        const [first] = addresses;
        if (bad || !first) {
          callback(new OutgoingRequestRefused(`${hostname} is a private address, or has none.`), "", 4);
        } else if (options.all) callback(null, [{ address: first.address, family: first.family }]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 4),
    );
  };
}
