// Shows pushes and sends back what was pressed on them. It keeps nothing and touches no page.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const message = read(event);
  if (message) event.waitUntil(message.replaces ? replace(message) : show(message));
});

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const message = notification.data ?? {};
  const isDecision = (action === "allow" || action === "deny") && typeof message.token === "string";
  event.waitUntil(isDecision ? decide(message, action) : openPage(message.path));
});

function read(event) {
  try {
    return event.data?.json() ?? null;
  } catch {
    return null;
  }
}

/** With buttons where the browser shows them; elsewhere a press opens the page, which has them. */
function show(message) {
  return self.registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    renotify: true,
    icon: "/icons/icon-192.png",
    badge: "/icons/icon-192.png",
    data: message,
    actions: buttons(message),
  });
}

function buttons({ token, mayAllow }) {
  if (typeof token !== "string" || (self.Notification?.maxActions ?? 0) < 2) return [];
  const first = mayAllow ? { action: "allow", title: "Allow" } : { action: "open", title: "Open" };
  return [first, { action: "deny", title: "Deny" }];
}

/** The token is all that is sent: it is good once, for this approval. */
async function decide(message, decision) {
  try {
    const reply = await fetch("/api/push-decisions", {
      method: "POST",
      credentials: "omit",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: message.token, decision }),
    });
    const outcome = reply.ok ? { title: decision === "allow" ? "Allowed" : "Denied" } : await refusal(reply);
    if (reply.status >= 500) return show({ ...message, ...outcome });
    await tell(message, outcome);
  } catch {
    // Not sent: the buttons stay.
    await show({ ...message, title: "Not sent. The server could not be reached.", body: message.body });
  }
}

async function refusal(reply) {
  const said = await reply.json().catch(() => null);
  const body = said?.error?.message ?? "Open the inbox to decide.";
  return { title: reply.status === 409 ? "Already decided" : "Not decided", body };
}

/** In the place of the question, without buttons. */
function tell({ tag, path }, { title, body = "" }) {
  const data = { path };
  return self.registration.showNotification(title, { body, tag, data, icon: "/icons/icon-192.png", silent: true });
}

/** Says in the place of a question that it is decided; where it is gone, nothing is shown. */
async function replace(message) {
  const shown = await self.registration.getNotifications({ tag: message.tag });
  if (shown.some(({ data }) => typeof data?.token === "string")) await tell(message, message);
}

/** A page of ours that is open already goes there; otherwise a new one opens. */
async function openPage(path) {
  const url = new URL(typeof path === "string" && path.startsWith("/") ? path : "/", self.location.origin).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = pages.find((page) => page.url === url);
  if (same) return same.focus();
  return self.clients.openWindow(url);
}
