import { afterEach, expect, test, vi } from "vitest";
import { signOut } from "@/lib/client/users/sign-out";
import { browserName, pushSupport } from "./browser-push";

afterEach(() => vi.unstubAllGlobals());

function stubBrowser({ isSecureContext = true, permission = "default", hasPush = true }): void {
  const Notification = { permission };
  vi.stubGlobal("window", { isSecureContext, Notification, ...(hasPush ? { PushManager: {} } : {}) });
  vi.stubGlobal("navigator", { serviceWorker: {} });
  vi.stubGlobal("Notification", Notification);
}

test.each([
  ["insecure", "without https", { isSecureContext: false }],
  ["unsupported", "where the browser has no web push", { hasPush: false }],
  ["blocked", "where it was refused for this page", { permission: "denied" }],
  ["ready", "otherwise", {}],
])("push is %s %s", (support, _, browser) => {
  stubBrowser(browser);
  expect(pushSupport()).toBe(support);
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari on iPhone"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  ["curl/8", "A browser on an unknown system"],
])("names %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test("signing out ends the push of this browser, and only once the server has ended the session", async () => {
  const unsubscribe = vi.fn(async () => true);
  const getRegistration = async () => ({ pushManager: { getSubscription: async () => ({ unsubscribe }) } });
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration } });
  const failure = { error: { code: "internal", message: "The database does not answer." } };
  vi.stubGlobal("fetch", async () => Response.json(failure, { status: 500 }));
  await expect(signOut()).rejects.toThrow("The database does not answer.");
  expect(unsubscribe).not.toHaveBeenCalled();
  vi.stubGlobal("fetch", async () => Response.json({ success: true }));
  await signOut();
  expect(unsubscribe).toHaveBeenCalledOnce();
});

test("signing out works in a browser without web push", async () => {
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("fetch", async () => Response.json({ success: true }));
  await expect(signOut()).resolves.toBeUndefined();
});
