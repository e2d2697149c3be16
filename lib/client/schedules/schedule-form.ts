import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { readAmount } from "@/lib/client/usage/budget-text";
import { ExactCall } from "@/lib/schema/triggers/exact-call";
import { readInterval } from "@/lib/schema/triggers/interval";
import { CreateScheduleBody, Schedule } from "@/lib/schema/triggers/schedule";
import { readTimeText, type ScheduleTime, timeLabel } from "@/lib/schema/triggers/schedule-time";
import { isPageAddress, SCHEDULE_TEMPLATES, type TemplateId, watchPrompt } from "./schedule-templates";

const { overlap, missed, on_ask, deliver } = Schedule.shape;

const amount = z.string().refine(isAmount, "Enter a number, such as 0.50.");

/** Everything but what runs and when, as typed. */
const Rules = z.object({
  name: z.string().refine((name) => name.trim() !== "", "Give it a name, such as Morning brief."),
  /** Null for a new one: the default agent. */
  agentId: z.string().nullable(),
  /** Null for a new one: the person's own zone. */
  timezone: z.string().nullable(),
  thread: z.string(),
  overlap: overlap.unwrap(),
  missed: missed.unwrap(),
  grace: z.string().refine((text) => readInterval(text) !== null, "Enter a time such as 30m, 6h or 1d."),
  on_ask: on_ask.unwrap(),
  budget: z.object({ run_usd: amount, day_usd: amount }),
  pause_after_failures: z
    .string()
    .refine((text) => /^([1-9]\d?|100)$/.test(text.trim()), "Enter a number from 1 to 100."),
  deliver: deliver.unwrap(),
  allow: z.array(ExactCall),
  deny: z.array(ExactCall),
});

/** `page`: the address that the template's agent watches, from which the prompt is made. Null without one. */
const Task = z.object({ prompt: z.string(), page: z.string().nullable(), when: z.string() });

export type ScheduleForm = z.input<typeof Rules> & z.input<typeof Task>;

/** What a new schedule has where nothing was chosen. */
export interface ScheduleDefaults {
  readonly agentId: string | null;
  readonly timezone: string;
}

/**
 * The form of `schedule` (null: a new one), read as its request. Two halves, so that the problems of one do not hide
 * those of the other.
 */
export function scheduleSchema(schedule: Schedule | null, defaults: ScheduleDefaults) {
  const TaskAtTime = Task.superRefine(({ prompt, page, when }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message, input: undefined });
    if (page !== null && !isPageAddress(page))
      refuse("page", "Enter the whole address, such as https://example.org/news.");
    if (page === null && prompt.trim() === "") refuse("prompt", "Say what the agent should do.");
    if (timeOf(when, schedule) === null) refuse("when", `Not understood from ‘${when}’. Try ‘every weekday at 9’.`);
  });
  return formSchema(
    z.intersection(Rules, TaskAtTime),
    (form: ScheduleForm) => ({
      agentId: form.agentId ?? defaults.agentId ?? "",
      ...toFields(withDefaults(form, defaults), timeOf(form.when, schedule)),
    }),
    CreateScheduleBody,
  );
}

export function withDefaults(form: ScheduleForm, { agentId, timezone }: ScheduleDefaults): ScheduleForm {
  return { ...form, agentId: form.agentId ?? agentId, timezone: form.timezone ?? timezone };
}

/** Where a person finds what stands at a path of the request. */
export function scheduleField(path: string): string {
  return TIME_FIELDS.has(path) ? "when" : path;
}

/** The initial values of a new schedule. */
export interface ScheduleStart {
  readonly prompt: string;
  readonly agentId: string | null;
  readonly template?: TemplateId;
}

export function formOf(schedule: Schedule | null, start: ScheduleStart): ScheduleForm {
  if (schedule !== null) return storedForm(schedule);
  const { template, prompt, agentId } = start;
  if (template !== undefined) return { ...NEW, ...templateForm(template) };
  return { ...NEW, prompt, agentId };
}

/** What is stored, as the form shows it. */
export function storedForm(schedule: Schedule): ScheduleForm {
  const { name, agentId, prompt, timezone, thread, overlap, missed, grace, on_ask, deliver, allow, deny } = schedule;
  const { run_usd, day_usd } = schedule.budget;
  return {
    name,
    agentId,
    prompt,
    timezone,
    thread,
    overlap,
    missed,
    grace,
    on_ask,
    deliver,
    allow,
    deny,
    page: null,
    when: timeLabel(schedule),
    budget: { run_usd: String(run_usd ?? ""), day_usd: String(day_usd ?? "") },
    pause_after_failures: String(schedule.pause_after_failures),
  };
}

const NEW: Omit<ScheduleForm, "agentId" | "prompt"> = {
  name: "",
  timezone: null,
  page: null,
  when: "every weekday at 9",
  thread: "new",
  budget: { run_usd: "", day_usd: "" },
  pause_after_failures: "3",
  deliver: [{ thread: true }],
  allow: [],
  deny: [],
  overlap: "skip",
  missed: "run_once",
  grace: "6h",
  on_ask: "wait",
};

function templateForm(id: TemplateId) {
  return { ...SCHEDULE_TEMPLATES[id], page: id === "watch-page" ? "" : null };
}

/** The prompt for the agent: with a page, the template's prompt for its address. */
function promptOf({ page, prompt }: ScheduleForm): string {
  return page === null ? prompt : watchPrompt(page.trim());
}

/** The time that the words mean; the edited schedule's own words mean its own time. */
export function timeOf(words: string, schedule: Schedule | null): ScheduleTime | null {
  if (schedule === null || words !== timeLabel(schedule)) return readTimeText(words);
  const { cron, every, at } = schedule;
  if (cron !== undefined) return { cron };
  return every === undefined ? { at } : { every };
}

function isAmount(text: string): boolean {
  const usd = readAmount(text);
  return usd === null || usd > 0;
}

/** The form in the API's format, without the agent. */
export function toFields(form: ScheduleForm, time: ScheduleTime | null) {
  const { name, timezone, thread, overlap, missed, grace, on_ask, budget, deliver, allow, deny } = form;
  return {
    ...time,
    ...(timezone === null ? {} : { timezone }),
    name,
    prompt: promptOf(form),
    thread,
    overlap,
    missed,
    grace: grace.trim(),
    on_ask,
    budget: { run_usd: readAmount(budget.run_usd), day_usd: readAmount(budget.day_usd) },
    pause_after_failures: Number(form.pause_after_failures),
    deliver: [...deliver],
    allow: [...allow],
    deny: [...deny],
  };
}

type Fields = ReturnType<typeof toFields>;

/** What is stored, as the form would send it. */
export function storedFields(schedule: Schedule): Fields {
  return toFields(storedForm(schedule), timeOf(timeLabel(schedule), schedule));
}

const TIME_FIELDS: ReadonlySet<string> = new Set(["cron", "every", "at"]);

/** What differs from the form as it was opened: nothing else is sent, so nobody's change is undone. */
export function changedFields(form: ScheduleForm, opened: ScheduleForm, schedule: Schedule): Partial<Fields> {
  const fieldsOf = (one: ScheduleForm): Fields => toFields(one, timeOf(one.when, schedule));
  const before: Readonly<Record<string, unknown>> = fieldsOf(opened);
  const isChanged = ([key, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[key]);
  return Object.fromEntries(
    Object.entries(fieldsOf(form))
      .filter(([, value]) => value !== undefined)
      .filter(isChanged),
  );
}

export type CallChoice = "allow" | "deny" | "wait";

export function choiceOf({ allow, deny }: ScheduleForm, call: ExactCall): CallChoice {
  const isSame = (one: ExactCall) => keyOf(one) === keyOf(call);
  if (allow.some(isSame)) return "allow";
  return deny.some(isSame) ? "deny" : "wait";
}

/** The calls decided in advance, with `call` decided so. */
export function withChoice({ allow, deny }: ScheduleForm, call: ExactCall, choice: CallChoice) {
  const others = (calls: readonly ExactCall[]) => calls.filter((one) => keyOf(one) !== keyOf(call));
  return {
    allow: [...others(allow), ...(choice === "allow" ? [call] : [])],
    deny: [...others(deny), ...(choice === "deny" ? [call] : [])],
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

export function waysOf(deliver: Schedule["deliver"]): string[] {
  return OWN_WAYS.flatMap(({ id }) => (deliver.some((target) => isWay(target, id)) ? [id] : []));
}

/** The others are left unchanged. */
export function withWays(deliver: Schedule["deliver"], ways: readonly string[]): Schedule["deliver"] {
  const others = deliver.filter((target) => !OWN_WAYS.some(({ id }) => isWay(target, id)));
  return [...others, ...OWN_WAYS.flatMap(({ id }) => (ways.includes(id) ? [WAY_TARGETS[id]] : []))];
}

function isWay(target: Schedule["deliver"][number], id: keyof typeof WAY_TARGETS): boolean {
  return target[id] !== undefined && target[id] === WAY_TARGETS[id][id];
}
