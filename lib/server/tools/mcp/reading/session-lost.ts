import { SharedError } from "@/lib/schema/shared-error";
import type { GuardedFetch } from "@/lib/server/platform/guarded-fetch";

type Send = GuardedFetch["fetch"];

/** The server has forgotten the session, so it did not look at the request: it may be sent again in another one. */
export class McpSessionLost extends SharedError {
  static override readonly kind = "McpSessionLost";
  constructor() {
    super("The server keeps forgetting its sessions.");
  }
}

/**
 * `send`, which throws McpSessionLost if a message was refused because of its session. `inAddress`: the session is part
 * of the address that messages are sent to, and not a header.
 */
export function sessionFetch(send: Send, { inAddress }: { readonly inAddress: boolean }): Send {
  return async (input, init) => {
    const response = await send(input, init);
    const isInSession = inAddress || new Headers(init?.headers).has("mcp-session-id");
    if (response.ok || init?.method !== "POST" || !isInSession) return response;
    if (response.status === 404 || response.status === 410) {
      await response.body?.cancel();
      throw new McpSessionLost();
    }
    if (response.status !== 400) return response;
    const words = await response.text();
    if (namesLostSession(words)) throw new McpSessionLost();
    return new Response(words, { status: response.status, headers: response.headers });
  };
}

/** The words with which older servers refuse an unknown session, and newer ones that there are any. */
function namesLostSession(words: string): boolean {
  if (/"code":\s?-32022\b/.test(words)) return true;
  return /session/i.test(words) && /not found|no valid|invalid|unknown|expired|terminated|does not exist/i.test(words);
}
