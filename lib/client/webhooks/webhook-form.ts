import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { readAmount } from "@/lib/client/usage/budget-text";
import {
  CreateWebhookBody,
  HookSignature,
  INCOMING_FIELDS,
  UpdateWebhookBody,
  type Webhook,
  WebhookEvent,
} from "@/lib/schema/webhooks/webhook";

const { on_ask, thread, repeats } = INCOMING_FIELDS;

/** The form as typed; both directions have their fields in it. */
const WebhookForm = z
  .object({
    direction: z.enum(["in", "out"]),
    name: z.string(),
    /** Empty: none yet, or for an outgoing one all. */
    agentId: z.string(),
    prompt: z.string(),
    signature: HookSignature,
    header: z.string(),
    thread: thread.unwrap(),
    on_ask: on_ask.unwrap(),
    /** Empty: the user Automation. */
    runAs: z.string(),
    rate_per_minute: z.string(),
    repeats: repeats.unwrap(),
    repeatWindow: z.string().trim(),
    budget: z.object({ run_usd: z.string(), day_usd: z.string() }),
    url: z.string(),
    events: z.array(WebhookEvent),
  })
  .refine(({ direction, agentId }) => direction === "out" || agentId !== "", {
    path: ["agentId"],
    message: "Choose an agent.",
  });
export type WebhookForm = z.input<typeof WebhookForm>;

const EMPTY: WebhookForm = {
  direction: "in",
  name: "",
  agentId: "",
  prompt: "",
  signature: "standard",
  header: "x-signature",
  thread: "new",
  on_ask: "deny",
  runAs: "",
  rate_per_minute: "60",
  repeats: "known",
  repeatWindow: "10m",
  budget: { run_usd: "", day_usd: "" },
  url: "",
  events: ["run.failed", "approval.requested"],
};

export function formOf(webhook: Webhook | null): WebhookForm {
  if (webhook === null) return EMPTY;
  if (webhook.direction === "out") {
    const { direction, name, url, events, agentId } = webhook;
    return { ...EMPTY, direction, name, url, events: [...events], agentId: agentId ?? "" };
  }
  const { direction, name, agentId, prompt, signature, header, thread, on_ask, repeats, repeatWindow } = webhook;
  return {
    ...EMPTY,
    ...{ direction, name, agentId, prompt, signature, header, thread, on_ask, repeats, repeatWindow },
    runAs: webhook.runAs ?? "",
    rate_per_minute: String(webhook.rate_per_minute),
    budget: {
      run_usd: webhook.budget.run_usd?.toString() ?? "",
      day_usd: webhook.budget.day_usd?.toString() ?? "",
    },
  };
}

function incomingFields({
  name,
  agentId,
  prompt,
  header,
  thread,
  on_ask,
  repeats,
  repeatWindow,
  ...rest
}: WebhookForm) {
  return {
    ...{ name, agentId, prompt, header, thread, on_ask, repeats, repeatWindow },
    runAs: rest.runAs === "" ? null : rest.runAs,
    rate_per_minute: Number(rest.rate_per_minute),
    budget: { run_usd: readAmount(rest.budget.run_usd), day_usd: readAmount(rest.budget.day_usd) },
  };
}

function outgoingFields({ name, url, events, agentId }: WebhookForm) {
  return { name, url, events, agentId: agentId === "" ? null : agentId };
}

export const NewWebhook = formSchema(
  WebhookForm,
  (form) =>
    form.direction === "out"
      ? { direction: "out" as const, ...outgoingFields(form) }
      : { direction: "in" as const, ...incomingFields(form), signature: form.signature },
  CreateWebhookBody,
);

export const ChangedWebhook = formSchema(
  WebhookForm,
  (form) => (form.direction === "out" ? outgoingFields(form) : incomingFields(form)),
  UpdateWebhookBody,
);

/** Another receiver gets a secret of its own. */
export function secretFor({ url = "" }: UpdateWebhookBody, webhook: Webhook): { readonly secret?: string } {
  if (webhook.direction === "in") return {};
  const [a, b] = [URL.parse(url), URL.parse(webhook.url)];
  return a === null || b === null || a.origin === b.origin ? {} : { secret: newSecret() };
}

const SECRET_BYTES = 32;

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}
