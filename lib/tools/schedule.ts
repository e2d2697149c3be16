import { z } from "zod";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { defineTool, type Tool, type ToolOutput } from "@/lib/agent/tools/tool";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { readTimeText, type ScheduleTime, timeLabel } from "@/lib/schema/triggers/schedule-time";

export const SCHEDULE = "schedule";

/** Where the owner gets the results, and how the tool says it. */
const RESULT_TARGETS = {
  thread: "their thread",
  notify: "a notification",
  email: "the user's email address",
  chat: "the chat that the user used last",
  webhook: "a webhook",
} as const;
export type ResultPlace = keyof typeof RESULT_TARGETS;
/** The places that a run may choose: the owner's own. */
const CHOICES = ["thread", "notify", "email", "chat"] as const satisfies readonly ResultPlace[];

/** A schedule of the run's owner, as the tool reports it. */
export interface KeptSchedule extends ScheduleTime {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly deliver: readonly ResultPlace[];
  /** ISO 8601, soonest first. */
  readonly next: readonly string[];
}

export interface NewSchedule extends ScheduleTime {
  readonly name: string;
  readonly prompt: string;
  readonly timezone?: string;
  readonly deliver?: readonly ResultPlace[];
}

/** The schedules of the run's owner for the run's agent. Every method throws errors that say what to do instead. */
export interface ScheduleKeeper {
  create(schedule: NewSchedule): Promise<KeptSchedule>;
  list(): Promise<readonly KeptSchedule[]>;
  pause(id: string): Promise<KeptSchedule>;
  remove(id: string): Promise<void>;
}

const Input = z.object({
  action: z.enum(["create", "list", "pause", "delete"]),
  name: z.string().min(1).max(120).optional().describe("For create: a short name, such as Morning brief"),
  when: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'For create: "every weekday at 9", "every 30 min", "Mondays at 17:30", a cron pattern of five fields, or a date and time as 2026-12-01T09:00',
    ),
  timezone: z.string().min(1).max(64).optional().describe("For create: an IANA name such as Europe/Berlin"),
  prompt: z.string().min(1).max(32_768).optional().describe("For create: the whole task, as the user would write it"),
  deliver: z
    .array(z.enum(CHOICES))
    .min(1)
    .max(CHOICES.length)
    .optional()
    .describe(
      "For create: where the user gets the results. thread is the page; chat is the Telegram, Slack or mail chat that they used last. Default: chat if the user wrote this in one, else thread",
    ),
  id: z.string().min(1).max(200).optional().describe("For pause and delete: the schedule's id, from list"),
});

/**
 * Creates, lists, pauses and deletes schedules of the run's owner. Creating asks even if permissions are off, because a
 * person should decide what runs later unattended.
 */
export function scheduleTool(keeper: ScheduleKeeper): Tool {
  return defineTool({
    name: SCHEDULE,
    kind: "schedule",
    description:
      "Have yourself started again at set times with a prompt: create, list, pause or delete schedules. Each run starts without this conversation, so the prompt must contain the whole task. Use create when the user asks for something regularly or at a later time.",
    input: Input,
    aliases: ["cron"],
    question: "Create this schedule?",
    approvalOf: ({ action }) => (action === "list" ? "never" : undefined),
    asksBecause: ({ action }) => (action === "create" ? "It will run later, perhaps while you are away" : undefined),
    gist: ({ action, name, when, id }) => [action, name, when ?? id].filter((word) => word !== undefined).join(", "),
    execute: (input) => perform(keeper, input),
  });
}

async function perform(keeper: ScheduleKeeper, input: z.output<typeof Input>): Promise<string | ToolOutput> {
  switch (input.action) {
    case "create": {
      const made = await keeper.create(readNew(input));
      return { output: `Created: ${described(made)}`, display: drawn([made]) };
    }
    case "list": {
      const known = await keeper.list();
      const output = known.length === 0 ? "There are no schedules." : known.map(described).join("\n");
      return { output, display: drawn(known) };
    }
    case "pause": {
      const paused = await keeper.pause(requireId(input));
      return { output: `Paused: ${described(paused)}`, display: drawn([paused]) };
    }
    default:
      await keeper.remove(requireId(input));
      return "Deleted. Its runs and their threads stay.";
  }
}

function readNew({ name, when, prompt, timezone, deliver }: z.output<typeof Input>): NewSchedule {
  if (when === undefined || prompt === undefined) throw new Error("To create a schedule give `when` and `prompt`.");
  const time = readTimeText(when);
  if (time === null) {
    throw new Error(
      `${JSON.stringify(when)} is not understood. Write "every weekday at 9", "every 30 min", a cron pattern such as "0 9 * * 1-5", or a date and time as 2026-12-01T09:00.`,
    );
  }
  const task = cleanText(prompt);
  return {
    name: cleanText(name ?? task.split("\n")[0] ?? "Schedule").slice(0, 120),
    prompt: task,
    ...time,
    ...(timezone === undefined ? {} : { timezone }),
    ...(deliver === undefined ? {} : { deliver }),
  };
}

function requireId({ id }: z.output<typeof Input>): string {
  if (id === undefined) throw new Error("Give the `id` of the schedule; action list shows them.");
  return id;
}

function drawn(schedules: readonly KeptSchedule[]): ToolDisplay {
  return {
    kind: "schedules",
    schedules: schedules.map(({ id, name, cron, every, at, timezone, enabled, next }) => ({
      ...{ id, name, timezone, enabled },
      time: { cron, every, at },
      next: [...next],
    })),
  };
}

/** The model reads as many. */
const TOLD_TIMES = 3;

/** "Morning brief (trg_1): weekdays at 09:00, Europe/Berlin. Next: Tue 24 Nov 09:00, …. Results go to their thread." */
function described(schedule: KeptSchedule): string {
  const { id, name, timezone, enabled, next, deliver } = schedule;
  const due = next
    .slice(0, TOLD_TIMES)
    .map((iso) => dueText(iso, timezone))
    .join(", ");
  const then = enabled ? (due === "" ? "Not due again." : `Next: ${due}.`) : "Paused.";
  const places = deliver.map((place) => RESULT_TARGETS[place]).join(", ");
  const results = places === "" ? "" : ` Results go to ${places}.`;
  return `${name} (${id}): ${timeLabel(schedule)}, ${timezone}. ${then}${results}`;
}

function dueText(iso: string, timeZone: string): string {
  const options = {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  return new Date(iso).toLocaleString("en-GB", options).replaceAll(",", "");
}
