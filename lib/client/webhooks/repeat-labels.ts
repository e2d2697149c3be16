import type { IncomingWebhook } from "@/lib/schema/webhooks/webhook";

/** What counts as a repeat of a request to the webhook, in one sentence or two. */
export function repeatText({
  signature,
  repeats,
  repeatWindow,
}: Pick<IncomingWebhook, "signature" | "repeats" | "repeatWindow">): string {
  if (signature === "standard") return "For 7 days a request with the same webhook-id is a repeat: it starts nothing.";
  const apart = `Within ${repeatWindow} of the first, another delivery id makes it a request of its own.`;
  if (repeats === "allow")
    return `A request with the same body is a repeat for ${repeatWindow}, then it starts again. ${apart}`;
  return `For 7 days a request with the same body is a repeat: it starts nothing. ${apart}`;
}
