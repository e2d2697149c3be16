import { z } from "zod";
import type { CreateWebhookBody, UpdateWebhookBody, Webhook } from "@/lib/schema/webhooks/webhook";

/** The form as typed, in text. */
export const WebhookForm = z.object({
  direction: z.enum(["in", "out"]),
  name: z.string(),
  agentId: z.string().nullable(),
  prompt: z.string(),
  signature: z.string(),
  header: z.string(),
  thread: z.string(),
  onAsk: z.string(),
  runAs: z.string().nullable(),
  rate: z.string(),
  repeats: z.string(),
  repeatWindow: z.string(),
  runUsd: z.string(),
  dayUsd: z.string(),
  url: z.string(),
  events: z.array(z.string()),
});
export type WebhookForm = z.output<typeof WebhookForm>;

const EMPTY: WebhookForm = {
  direction: "in",
  name: "",
  agentId: null,
  prompt: "",
  signature: "standard",
  header: "x-signature",
  thread: "new",
  onAsk: "deny",
  runAs: null,
  rate: "60",
  repeats: "known",
  repeatWindow: "10m",
  runUsd: "",
  dayUsd: "",
  url: "",
  events: ["run.failed", "approval.requested"],
};

export function formOf(webhook: Webhook | null): WebhookForm {
  if (webhook === null) return EMPTY;
  if (webhook.direction === "out") {
    const { direction, name, url, events, agentId } = webhook;
    return { ...EMPTY, direction, name, url, events, agentId };
  }
  const { direction, name, agentId, prompt, signature, header, thread, on_ask: onAsk, runAs, budget } = webhook;
  return {
    ...EMPTY,
    direction,
    name,
    agentId,
    prompt,
    signature,
    header,
    thread,
    onAsk,
    runAs,
    rate: String(webhook.rate_per_minute),
    repeats: webhook.repeats,
    repeatWindow: webhook.repeatWindow,
    runUsd: budget.run_usd?.toString() ?? "",
    dayUsd: budget.day_usd?.toString() ?? "",
  };
}

const money = (text: string) => (text.trim() === "" ? null : Number(text.replace(",", ".")));

function incomingFields(form: WebhookForm) {
  const { name, prompt, header, thread, onAsk, runAs, rate, repeats, repeatWindow, runUsd, dayUsd } = form;
  return {
    name,
    prompt,
    header,
    runAs,
    rate_per_minute: Number(rate),
    repeats: repeats === "allow" ? ("allow" as const) : ("known" as const),
    repeatWindow: repeatWindow.trim(),
    thread: thread === "same" ? ("same" as const) : ("new" as const),
    on_ask: onAsk === "wait" ? ("wait" as const) : ("deny" as const),
    budget: { run_usd: money(runUsd), day_usd: money(dayUsd) },
  };
}

type Created = z.input<typeof CreateWebhookBody>;
type Signature = Extract<Created, { direction: "in" }>["signature"];
type Events = Extract<Created, { direction: "out" }>["events"];

/** The server validates the rest; every problem is shown beside its field. */
export function toCreateBody(form: WebhookForm): Created {
  const { name, url, agentId, signature } = form;
  const events = [...form.events] as Events;
  if (form.direction === "out") return { direction: "out", name, url, events, agentId };
  return { ...incomingFields(form), direction: "in", agentId: agentId ?? "", signature: signature as Signature };
}

/** Another receiver gets a secret of its own. */
export function toChange(form: WebhookForm, webhook: Webhook): z.input<typeof UpdateWebhookBody> {
  const { name, url, agentId } = form;
  if (form.direction === "out") {
    const secret = isSameOrigin(url, webhook.url) ? {} : { secret: newSecret() };
    return { name, url, agentId, events: [...form.events] as Events, ...secret };
  }
  return { ...incomingFields(form), ...(agentId === null ? {} : { agentId }) };
}

function isSameOrigin(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a === null || b === null || a.origin === b.origin;
}

const SECRET_BYTES = 32;

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}
