import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { SentMail } from "@/lib/schema/settings/settings";
import {
  CreatedLink,
  type InviteBody,
  LinkSummary,
  type UseLinkBody,
  UserSessionList,
} from "@/lib/schema/users/account-link";
import { signIn } from "./account";

export function inviteUser(body: InviteBody): Promise<CreatedLink> {
  return callJson(CreatedLink, "/api/users/invite", { method: "POST", body });
}

export function createPasswordLink(userId: string): Promise<CreatedLink> {
  return callJson(CreatedLink, `/api/users/${encodeURIComponent(userId)}/password-link`, { method: "POST" });
}

/** Mails a newly created link to its recipient. */
export function sendLink({ url }: CreatedLink): Promise<SentMail> {
  const token = new URL(url).hash.slice("#token=".length);
  return callJson(SentMail, "/api/account-links/send", { method: "POST", body: { token } });
}

/** The link's purpose; requested once, because wrong links are throttled. */
export function linkQuery(token: string) {
  return queryOptions({
    queryKey: ["account-link", token],
    queryFn: () => callJson(LinkSummary, "/api/account-links/look", { method: "POST", body: { token } }),
    enabled: token !== "",
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Uses the link and signs in. */
export async function followLink(body: UseLinkBody & { readonly email: string }): Promise<void> {
  const { email, ...sent } = body;
  await callApi("/api/account-links", { method: "POST", body: sent });
  await signIn({ email, password: body.password });
}

export function userSessionsQuery(userId: string) {
  return queryOptions({
    queryKey: ["user-sessions", userId],
    queryFn: ({ signal }) => callJson(UserSessionList, `/api/users/${encodeURIComponent(userId)}/sessions`, { signal }),
    select: ({ sessions }) => sessions,
  });
}

/** One session, or all of them. */
export async function endUserSessions(userId: string, sessionId?: string): Promise<void> {
  const one = sessionId === undefined ? "" : `/${encodeURIComponent(sessionId)}`;
  await callApi(`/api/users/${encodeURIComponent(userId)}/sessions${one}`, { method: "DELETE" });
}
