import { z } from "zod";
import { formSchema, typedJson } from "@/lib/client/forms/typed";
import { readAmount } from "@/lib/client/usage/budget-text";
import { Heartbeat, UpdateHeartbeatBody } from "@/lib/schema/triggers/heartbeat";

type When = Heartbeat["when"][number];

const MISSING = { file: "Enter a glob, such as inbox/**.", http: "Name an HTTP tool." } as const;

/** One `when` check, as typed. */
const CheckForm = z
  .object({
    kind: z.enum(["file", "inbound", "http"]),
    /** The glob, or the tool's name. */
    value: z.string().trim(),
    /** The tool's arguments, as JSON. */
    args: typedJson(z.record(z.string(), z.unknown())),
  })
  .superRefine(({ kind, value }, context) => {
    if (kind === "inbound" || value !== "") return;
    context.addIssue({ code: "custom", path: ["value"], message: MISSING[kind] });
  });
export const NEW_CHECK: z.input<typeof CheckForm> = { kind: "file", value: "", args: "" };

/** The dialog's contents, as typed. */
const HeartbeatForm = z.object({
  every: z.string().trim(),
  isAllDay: z.boolean(),
  from: z.string(),
  to: z.string(),
  timezone: z.string(),
  model: z.string().trim(),
  max_steps: z.string(),
  budget: z.object({ day_usd: z.string() }),
  idle_pause_days: z.string().trim(),
  on_ask: Heartbeat.shape.on_ask.unwrap(),
  deliver: z.enum(["last", "thread", "email", "own"]),
  when: z.array(CheckForm),
});
export type HeartbeatForm = z.input<typeof HeartbeatForm>;

/** The form in the API's format. */
export const HeartbeatChange = formSchema(
  HeartbeatForm,
  (form) => ({
    every: form.every,
    active: form.isAllDay ? null : `${form.from}-${form.to}`,
    timezone: form.timezone,
    model: form.model === "" ? null : form.model,
    max_steps: Number(form.max_steps),
    budget: { day_usd: readAmount(form.budget.day_usd) },
    idle_pause_days: form.idle_pause_days === "" ? null : Number(form.idle_pause_days),
    on_ask: form.on_ask,
    when: form.when.map(toWhen),
    ...deliverChange(form.deliver),
  }),
  UpdateHeartbeatBody,
);

/** Both ends of the active hours are one field of the API; so is what a check looks at. */
export function heartbeatField(path: string): string {
  if (path === "active") return "from";
  const [first, index, kind] = path.split(".");
  return first === "when" && (kind === "file" || kind === "http") ? `when.${index}.value` : path;
}

export function formOf(heartbeat: Heartbeat): HeartbeatForm {
  const [from = "08:00", to = "20:00"] = heartbeat.active?.split("-") ?? [];
  return {
    every: heartbeat.every,
    isAllDay: heartbeat.active === null,
    from,
    to,
    timezone: heartbeat.timezone,
    model: heartbeat.model ?? "",
    max_steps: String(heartbeat.max_steps),
    budget: { day_usd: String(heartbeat.budget.day_usd ?? "") },
    idle_pause_days: String(heartbeat.idle_pause_days ?? ""),
    on_ask: heartbeat.on_ask,
    deliver: deliverOf(heartbeat),
    when: heartbeat.when.map(checkOf),
  };
}

function checkOf(check: When): z.input<typeof CheckForm> {
  if ("file" in check) return { kind: "file", value: check.file, args: "" };
  if ("http" in check) {
    const args = Object.keys(check.args).length === 0 ? "" : JSON.stringify(check.args);
    return { kind: "http", value: check.http, args };
  }
  return { kind: "inbound", value: "", args: "" };
}

const MAIL = JSON.stringify([{ thread: true }, { email: true }]);
const THREAD = JSON.stringify([{ thread: true }]);

function deliverOf({ deliver }: Heartbeat): HeartbeatForm["deliver"] {
  if (deliver === "last") return "last";
  const text = JSON.stringify(deliver);
  return text === THREAD ? "thread" : text === MAIL ? "email" : "own";
}

function toWhen({ kind, value, args }: z.output<typeof CheckForm>): When {
  if (kind === "inbound") return { inbound: true };
  return kind === "file" ? { file: value } : { http: value, args };
}

/** A list of targets that has no name here is left unchanged. */
function deliverChange(deliver: HeartbeatForm["deliver"]) {
  if (deliver === "own") return {};
  if (deliver === "last") return { deliver };
  return {
    deliver: deliver === "thread" ? [{ thread: true as const }] : [{ thread: true as const }, { email: true as const }],
  };
}
