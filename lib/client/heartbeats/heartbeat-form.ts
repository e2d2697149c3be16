import { z } from "zod";
import { readAmount } from "@/lib/client/usage/budget-text";
import { Heartbeat } from "@/lib/schema/triggers/heartbeat";
import { readInterval } from "@/lib/schema/triggers/interval";

type When = Heartbeat["when"][number];

/** One `when` check, as typed. */
const CheckForm = z.object({
  kind: z.enum(["file", "inbound", "http"]),
  /** The glob, or the tool's name. */
  value: z.string(),
  /** The tool's arguments, as JSON. */
  args: z.string(),
});
export type CheckForm = z.output<typeof CheckForm>;

/** The dialog's contents, as typed. */
export const HeartbeatForm = z.object({
  every: z.string(),
  isAllDay: z.boolean(),
  from: z.string(),
  to: z.string(),
  timezone: z.string(),
  model: z.string(),
  steps: z.string(),
  dayUsd: z.string(),
  idleDays: z.string(),
  onAsk: Heartbeat.shape.on_ask,
  deliver: z.enum(["last", "thread", "email", "own"]),
  when: z.array(CheckForm),
});
export type HeartbeatForm = z.output<typeof HeartbeatForm>;

export function formOf(heartbeat: Heartbeat): HeartbeatForm {
  const [from = "08:00", to = "20:00"] = heartbeat.active?.split("-") ?? [];
  return {
    every: heartbeat.every,
    isAllDay: heartbeat.active === null,
    from,
    to,
    timezone: heartbeat.timezone,
    model: heartbeat.model ?? "",
    steps: String(heartbeat.max_steps),
    dayUsd: String(heartbeat.budget.day_usd ?? ""),
    idleDays: String(heartbeat.idle_pause_days ?? ""),
    onAsk: heartbeat.on_ask,
    deliver: deliverOf(heartbeat),
    when: heartbeat.when.map(checkOf),
  };
}

function checkOf(check: When): CheckForm {
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

/** By field, under the server's names. */
export function problemsOf(form: HeartbeatForm): Record<string, string> {
  const problems: Record<string, string> = {};
  if (readInterval(form.every) === null) problems.every = "Enter an interval, such as 30m, 2h or 1d.";
  if (!form.isAllDay && form.from === form.to) problems.active = "The hours must begin and end at different times.";
  if (form.timezone.trim() === "") problems.timezone = "Enter user for your own, or a name such as Europe/Berlin.";
  if (!/^([1-9]\d?|1\d\d|200)$/.test(form.steps.trim())) problems.max_steps = "Enter a number from 1 to 200.";
  const usd = readAmount(form.dayUsd);
  if (usd !== null && !(usd > 0)) problems["budget.day_usd"] = "Enter a number, such as 0.25, or nothing.";
  if (!/^([1-9]\d{0,3})?$/.test(form.idleDays.trim())) problems.idle_pause_days = "Enter a number of days, or nothing.";
  for (const [index, { kind, value, args }] of form.when.entries()) {
    if (kind !== "inbound" && value.trim() === "") {
      problems[`when.${index}.${kind}`] = kind === "file" ? "Enter a glob, such as inbox/**." : "Name an HTTP tool.";
    }
    if (kind === "http" && readArgs(args) === null) problems[`when.${index}.args`] = "Must be JSON, such as {}.";
  }
  return problems;
}

function readArgs(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The form in the API's format. */
export function toChange(form: HeartbeatForm) {
  return {
    every: form.every.trim(),
    active: form.isAllDay ? null : `${form.from}-${form.to}`,
    timezone: form.timezone.trim(),
    model: form.model.trim() === "" ? null : form.model.trim(),
    max_steps: Number(form.steps),
    budget: { day_usd: readAmount(form.dayUsd) },
    idle_pause_days: form.idleDays.trim() === "" ? null : Number(form.idleDays),
    on_ask: form.onAsk,
    when: form.when.map(toWhen),
    ...deliverChange(form.deliver),
  };
}

function toWhen({ kind, value, args }: CheckForm): When {
  if (kind === "inbound") return { inbound: true };
  return kind === "file" ? { file: value.trim() } : { http: value.trim(), args: readArgs(args) ?? {} };
}

/** A list of targets that has no name here is left unchanged. */
function deliverChange(deliver: HeartbeatForm["deliver"]) {
  if (deliver === "own") return {};
  if (deliver === "last") return { deliver };
  return {
    deliver: deliver === "thread" ? [{ thread: true as const }] : [{ thread: true as const }, { email: true as const }],
  };
}
