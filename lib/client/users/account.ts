import { z } from "zod";
import { callApi, callJson } from "@/lib/client/http/api";
import type { SetUpBody } from "@/lib/schema/users/user";

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export async function signIn(credentials: Credentials): Promise<void> {
  await callApi("/api/auth/sign-in/email", { method: "POST", body: credentials });
}

/** The identity provider's sign-in address; it returns to `next`. */
export async function startOidc(next: string): Promise<string> {
  const body = { provider: "oidc", callbackURL: next };
  const { url } = await callJson(z.object({ url: z.url() }), "/api/auth/sign-in/social", { method: "POST", body });
  return url;
}

/** Creates the first admin, with the first budgets, and signs in as them. */
export async function setUp(body: z.input<typeof SetUpBody>): Promise<void> {
  await callJson(z.object({ id: z.string() }), "/api/setup", { method: "POST", body });
  await signIn({ email: body.email, password: body.password });
}

/** Ends every other session of the user. */
export async function changePassword(body: {
  readonly currentPassword: string;
  readonly newPassword: string;
}): Promise<void> {
  await callApi("/api/auth/change-password", { method: "POST", body });
}

/** The path to open after sign-in: one of this site, never another site. `fallback` for anything else. */
export function safeNext(next: string | null | undefined, fallback = "/"): string {
  if (!next?.startsWith("/")) return fallback;
  const base = "http://here.invalid";
  const url = URL.parse(next, base);
  // "//host" and "/\host" are other sites to a browser, and "/.//host" becomes the first of them once resolved.
  if (url === null || url.origin !== base || url.pathname.startsWith("//")) return fallback;
  if (url.pathname === "/sign-in" || url.pathname === "/setup") return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
