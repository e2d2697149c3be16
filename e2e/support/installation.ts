import type { BrowserContextOptions } from "@playwright/test";
import type { ScriptProvider, Step } from "./script-provider";

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Signed in. */
  readonly storageState: Exclude<BrowserContextOptions["storageState"], string | undefined>;
}

/** What journeys prepare behind the scenes, through the API. */
export interface Installation {
  readonly url: string;
  readonly dataDirectory: string;
  readonly addPerson: (role: "viewer" | "member" | "admin", name: string) => Promise<Person>;
  /** An agent of this id whose model answers by `steps`. */
  readonly addAgent: (id: string, steps: readonly Step[], config?: Readonly<Record<string, unknown>>) => Promise<void>;
  /** A call with the administrator's key. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Response>;
}

const PASSWORD = "a-long-test-password";

export function createInstallation(options: {
  readonly url: string;
  readonly dataDirectory: string;
  readonly key: string;
  readonly provider: ScriptProvider;
}): Installation {
  const { url, dataDirectory, key, provider } = options;
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const reply = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  };
  let people = 0;
  return {
    url,
    dataDirectory,
    call,
    async addPerson(role, name) {
      const email = `${role}-${++people}@example.org`;
      await call("POST", "/api/users", { email, name, role, password: PASSWORD });
      return { name, email, password: PASSWORD, storageState: await signIn(url, email, PASSWORD) };
    },
    async addAgent(id, steps, config = {}) {
      provider.script(id, steps);
      const model = `scripted:${id}`;
      await call("POST", "/agents", { agent_id: id, name: id, model, backend: { type: "state" }, ...config });
    },
  };
}

/** The cookies of a session. */
async function signIn(url: string, email: string, password: string): Promise<Person["storageState"]> {
  const reply = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ email, password }),
  });
  if (!reply.ok) throw new Error(`Sign-in: ${reply.status} ${await reply.text()}`);
  const cookies = reply.headers.getSetCookie().map((line) => {
    const [pair = ""] = line.split(";");
    const separator = pair.indexOf("=");
    return { name: pair.slice(0, separator), value: pair.slice(separator + 1) };
  });
  const { hostname: domain } = new URL(url);
  const rest = { domain, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" as const };
  return { cookies: cookies.map((cookie) => ({ ...cookie, ...rest })), origins: [] };
}
