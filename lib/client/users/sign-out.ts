import { callApi } from "@/lib/client/http/api";

/** Also ends this browser's web push: whoever signs in next must not see the last person's notifications. */
export async function signOut(): Promise<void> {
  const push = await import("@/lib/client/notifications/browser-push");
  await callApi("/api/auth/sign-out", { method: "POST" });
  await push.turnOffPush().catch(() => undefined);
}
