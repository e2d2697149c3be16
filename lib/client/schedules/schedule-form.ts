import { z } from "zod";
import { readAmount } from "@/lib/client/usage/budget-text";
import { ExactCall } from "@/lib/schema/triggers/exact-call";
import { readInterval } from "@/lib/schema/triggers/interval";
import { Schedule } from "@/lib/schema/triggers/schedule";
import { readTimeWords, type ScheduleTime, timeWords } from "@/lib/schema/triggers/time-words";
import { isPageAddress, SCHEDULE_TEMPLATES, type TemplateId, watchPrompt } from "./schedule-templates";

const { overlap, missed, on_ask, deliver } = Schedule.shape;

/** The editor's contents, as typed. */
export const ScheduleForm = z.object({
  name: z.string(),
  agentId: z.string().nullable(),
  prompt: z.string(),
  when: z.string(),
  /** Null for a new one: the person's own zone. */
  timezone: z.string().nullable(),
  thread: z.string(),
  overlap,
  missed,
  grace: z.string(),
  onAsk: on_ask,
  runUsd: z.string(),
  dayUsd: z.string(),
  failures: z.string(),
  deliver,
  allow: z.array(ExactCall),
  deny: z.array(ExactCall),
  /** The page that the template's agent watches: the prompt is derived from it. Null without one. */
  page: z.string().nullable(),
  /** The fields that the schedule had when the person began to type, as JSON; null for a new one. */
  base: z.string().nullable(),
});
export type ScheduleForm = z.output<typeof ScheduleForm>;

/** The initial values of a new schedule. */
export interface ScheduleStart {
  readonly prompt: string;
  readonly agentId: string | null;
  readonly template?: TemplateId;
}

export function formOf(schedule: Schedule | null, start: ScheduleStart): ScheduleForm {
  if (schedule !== null) return { ...writtenOf(schedule), base: baseOf(schedule) };
  const { template, ...given } = start;
  return template === undefined ? { ...NEW, ...given } : { ...NEW, ...formOfTemplate(template) };
}

function writtenOf(schedule: Schedule): Omit<ScheduleForm, "base"> {
  const { name, agentId, prompt, timezone, thread, overlap, missed, grace } = schedule;
  const { on_ask: onAsk, budget, deliver, allow, deny } = schedule;
  return {
    name,
    agentId,
    prompt,
    timezone,
    thread,
    overlap,
    missed,
    grace,
    onAsk,
    deliver,
    allow,
    deny,
    page: null,
    when: timeWords(schedule),
    runUsd: String(budget.run_usd ?? ""),
    dayUsd: String(budget.day_usd ?? ""),
    failures: String(schedule.pause_after_failures),
  };
}

const NEW: Omit<ScheduleForm, "agentId" | "prompt"> = {
  name: "",
  when: "every weekday at 9",
  thread: "new",
  runUsd: "",
  dayUsd: "",
  failures: "3",
  timezone: null,
  deliver: [{ thread: true }],
  allow: [],
  deny: [],
  overlap: "skip",
  missed: "run_once",
  grace: "6h",
  onAsk: "wait",
  page: null,
  base: null,
};

function formOfTemplate(id: TemplateId) {
  const { name, when, thread, prompt, agentId } = SCHEDULE_TEMPLATES[id];
  return { name, when, thread, prompt, agentId, page: id === "watch-page" ? "" : null };
}

/** The prompt for the agent: with a page, the template's prompt for its address. */
function promptOf({ page, prompt }: ScheduleForm): string {
  return page === null ? prompt : watchPrompt(page.trim());
}

/** The time that the words mean; the edited schedule's own words mean its own time. */
export function timeOf(words: string, schedule: Schedule | null): ScheduleTime | null {
  if (schedule === null || words !== timeWords(schedule)) return readTimeWords(words);
  const { cron, every, at } = schedule;
  if (cron !== undefined) return { cron };
  return every === undefined ? { at } : { every };
}

/** By field, under the server's names; `when` for all kinds of time. */
export function problemsOf(form: ScheduleForm, time: ScheduleTime | null): Record<string, string> {
  const { name, prompt, when, runUsd, dayUsd, failures, grace, page } = form;
  const problems: Record<string, string> = {};
  if (name.trim() === "") problems.name = "Give it a name, such as Morning brief.";
  if (page !== null && !isPageAddress(page))
    problems.page = "Enter the whole address, such as https://example.org/news.";
  if (page === null && prompt.trim() === "") problems.prompt = "Say what the agent should do.";
  if (time === null) problems.when = `Not understood from ‘${when}’. Try ‘every weekday at 9’.`;
  if (readInterval(grace) === null) problems.grace = "Enter a time such as 30m, 6h or 1d.";
  if (!isAmount(runUsd)) problems["budget.run_usd"] = "Enter a number, such as 0.50.";
  if (!isAmount(dayUsd)) problems["budget.day_usd"] = "Enter a number, such as 0.50.";
  if (!/^([1-9]\d?|100)$/.test(failures.trim())) problems.pause_after_failures = "Enter a number from 1 to 100.";
  return problems;
}

function isAmount(text: string): boolean {
  const usd = readAmount(text);
  return usd === null || usd > 0;
}

/** The form in the API's format, without the agent. */
export function toFields(form: ScheduleForm, time: ScheduleTime | null) {
  const { name, timezone, thread, overlap, missed, grace, onAsk, runUsd, dayUsd, failures, deliver, allow, deny } =
    form;
  return {
    ...time,
    ...(timezone === null ? {} : { timezone }),
    name,
    prompt: promptOf(form),
    thread,
    overlap,
    missed,
    grace: grace.trim(),
    on_ask: onAsk,
    budget: { run_usd: readAmount(runUsd), day_usd: readAmount(dayUsd) },
    pause_after_failures: Number(failures),
    deliver: [...deliver],
    allow: [...allow],
    deny: [...deny],
  };
}

type Fields = ReturnType<typeof toFields>;

/** What is stored, as the form would send it. */
export function storedFields(schedule: Schedule): Fields {
  const { cron, every, at } = schedule;
  return toFields({ ...writtenOf(schedule), base: null }, { cron, every, at });
}

/** It differs as soon as somebody has saved the schedule otherwise. */
export function baseOf(schedule: Schedule): string {
  return JSON.stringify(storedFields(schedule));
}

const TIME_FIELDS: ReadonlySet<string> = new Set(["cron", "every", "at"]);

/** What differs from the schedule as it was when the person began: nothing else is sent, so nobody's change is undone. */
export function changedFields(fields: Fields, base: string): Partial<Fields> {
  const before: Readonly<Record<string, unknown>> = JSON.parse(base);
  const isChanged = ([key, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[key]);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .filter(isChanged),
  );
}

/** How many of the things that a person sees: a time counts once, of whichever kind it is. */
export function countChanges(changes: Partial<Fields>): number {
  return new Set(Object.keys(changes).map((key) => (TIME_FIELDS.has(key) ? "when" : key))).size;
}

export type CallChoice = "allow" | "deny" | "wait";

export function choiceOf({ allow, deny }: ScheduleForm, call: ExactCall): CallChoice {
  const isSame = (one: ExactCall) => keyOf(one) === keyOf(call);
  if (allow.some(isSame)) return "allow";
  return deny.some(isSame) ? "deny" : "wait";
}

export function withChoice(form: ScheduleForm, call: ExactCall, choice: CallChoice): ScheduleForm {
  const others = (calls: readonly ExactCall[]) => calls.filter((one) => keyOf(one) !== keyOf(call));
  return {
    ...form,
    allow: [...others(form.allow), ...(choice === "allow" ? [call] : [])],
    deny: [...others(form.deny), ...(choice === "deny" ? [call] : [])],
  };
}

function keyOf({ tool, args }: ExactCall): string {
  return `${tool} ${JSON.stringify(Object.entries(args).toSorted())}`;
}

/** The delivery targets that can be switched here. */
export const OWN_WAYS = [
  { id: "notify", name: "Notify me", hint: "in the ways of my settings" },
  { id: "email", name: "Mail me the result" },
  { id: "channel", name: "Send it to the chat I used last", hint: "in a linked channel" },
] as const;

const WAY_TARGETS: Readonly<Record<(typeof OWN_WAYS)[number]["id"], Schedule["deliver"][number]>> = {
  notify: { notify: true },
  email: { email: true },
  channel: { channel: "last" },
};

export function waysOf({ deliver }: ScheduleForm): string[] {
  return OWN_WAYS.flatMap(({ id }) => (deliver.some((target) => isWay(target, id)) ? [id] : []));
}

/** The others are left unchanged. */
export function withWays({ deliver }: ScheduleForm, ways: readonly string[]): Schedule["deliver"] {
  const others = deliver.filter((target) => !OWN_WAYS.some(({ id }) => isWay(target, id)));
  return [...others, ...OWN_WAYS.flatMap(({ id }) => (ways.includes(id) ? [WAY_TARGETS[id]] : []))];
}

function isWay(target: Schedule["deliver"][number], id: keyof typeof WAY_TARGETS): boolean {
  return target[id] !== undefined && target[id] === WAY_TARGETS[id][id];
}
