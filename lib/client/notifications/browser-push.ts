import { addPushDevice } from "./notification-queries";

/**
 * This browser's support: `insecure` without https (or localhost), `unsupported` without web push, `blocked` if the
 * person or their administrator has refused it for this page.
 */
export type PushSupport = "ready" | "insecure" | "unsupported" | "blocked";

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window))
    return "unsupported";
  return Notification.permission === "denied" ? "blocked" : "ready";
}

/** This browser's push endpoint; null if it has none. */
export async function currentEndpoint(): Promise<string | null> {
  if (pushSupport() !== "ready") return null;
  const registration = await navigator.serviceWorker.getRegistration("/sw.js");
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Asks the person, then subscribes. Throws an error whose message is for people. */
export async function turnOnPush(pushKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new PushRefused("This browser was not allowed to show notifications for this page.");
  }
  const registration = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  const subscription = await subscribe(registration, pushKey);
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  await addPushDevice({ name: browserName(navigator.userAgent), endpoint, keys: { p256dh, auth } });
}

/** Replaces a subscription with another installation's key. */
async function subscribe(registration: ServiceWorkerRegistration, pushKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: pushKey };
  try {
    return await registration.pushManager.subscribe(options);
  } catch (error) {
    const before = await registration.pushManager.getSubscription();
    if (before === null) throw new PushRefused("This browser could not reach its push service. Try again later.");
    if (!(await before.unsubscribe())) throw error;
    return registration.pushManager.subscribe(options);
  }
}

/** The push service refuses anything still sent to this browser, and the server then forgets it. */
export async function turnOffPush(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration("/sw.js");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

export class PushRefused extends Error {
  override readonly name = "PushRefused";
}

const BROWSERS = [
  ["Edge", /\bEdg/],
  ["Firefox", /\bFirefox|\bFxiOS/],
  ["Chrome", /\bChrome|\bCriOS/],
  ["Safari", /\bSafari/],
] as const;
const SYSTEMS = [
  ["iPhone", /\biPhone/],
  ["iPad", /\biPad/],
  ["Android", /\bAndroid/],
  ["Windows", /\bWindows/],
  ["macOS", /\bMac OS/],
  ["Linux", /\bLinux/],
] as const;

/** "Firefox on Linux". */
export function browserName(userAgent: string): string {
  const find = (names: readonly (readonly [string, RegExp])[]) => names.find(([, sign]) => sign.test(userAgent))?.[0];
  return `${find(BROWSERS) ?? "A browser"} on ${find(SYSTEMS) ?? "an unknown system"}`;
}
