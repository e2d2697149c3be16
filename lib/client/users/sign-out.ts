import { callApi } from "@/lib/client/http/api";
import { forgetPerson } from "./browser-person";

/** Also ends this browser's web push and forgets what it keeps: whoever signs in next must not see any of it. */
export async function signOut(): Promise<void> {
  const push = await import("@/lib/client/notifications/browser-push");
  await callApi("/api/auth/sign-out", { method: "POST" });
  forgetPerson();
  await push.turnOffPush().catch(() => undefined);
}
