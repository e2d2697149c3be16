import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { checkDestination, isPublicAddress, OutgoingRequestRefused, type OutgoingRules } from "./safe-fetch";

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
  return new Agent({ connect: { lookup: checkedLookup(rules) }, bodyTimeout: 0, headersTimeout: 0 });
}

/** Names that are allowed as private are already known to `checkDestination`, which knows the port. */
function checkedLookup({ allowedPrivateHosts, resolve }: OutgoingRules): LookupFunction {
  const find = resolve ?? ((name: string) => lookup(name, { all: true }));
  const allowed = new Set(allowedPrivateHosts.map((entry) => entry.replace(/:\d+$/, "")));
  return (hostname, options, callback) => {
    find(hostname).then(
      (addresses) => {
        const bad = allowed.has(hostname) ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
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
