import { isObject, valueAt } from "@/lib/client/agents/config-text/config-values";
import { number, when } from "./field-makers";
import type { FormTab } from "./form-field";

const isOffered = (config: unknown) => isObject(valueAt(config, ["heartbeat"]));

/** The heartbeat that people may turn on for themselves. Where a beat delivers its result is set only in the YAML. */
export const HEARTBEAT_FIELDS: FormTab["groups"][number] = {
  title: "Heartbeat",
  fields: [
    {
      path: ["heartbeat"],
      label: "Offer a heartbeat",
      help: "A heartbeat looks after what a person’s HEARTBEAT.md says, once that person turns it on under Automations.",
      control: { kind: "block" },
    },
    ...when(isOffered, [
      { path: ["heartbeat", "every"], label: "Interval", control: { kind: "text" }, isHalf: true },
      { path: ["heartbeat", "active"], label: "Active hours", control: { kind: "text" }, isHalf: true },
      {
        path: ["heartbeat", "timezone"],
        label: "Time zone",
        help: "user: each person's own.",
        control: { kind: "text" },
        isHalf: true,
      },
      number("heartbeat.budget.day_usd", "Daily budget", { unit: "US dollars" }),
      number("heartbeat.max_steps", "Max steps"),
      number("heartbeat.idle_pause_days", "Pause when idle", { unit: "days" }),
      { path: ["heartbeat", "model"], label: "Model", control: { kind: "model", empty: "the agent's own" } },
      {
        path: ["heartbeat", "when"],
        label: "Model called when",
        help: "A glob of files that change, inbound for new messages, http:name for a tool that says yes. Any yes does.",
        control: { kind: "checks" },
      },
    ]),
  ],
};

/** A check as one word: the glob, `inbound`, or `http:` with the tool. */
export function checkWord(item: unknown): string {
  if (!isObject(item)) return String(item);
  if (typeof item.http === "string") return `http:${item.http}`;
  return item.inbound === true ? "inbound" : String(item.file ?? "");
}

/** Checks as typed; existing ones stay as they are. */
export function checksFrom(items: unknown): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item: unknown) => {
    if (typeof item !== "string") return item;
    if (item === "inbound") return { inbound: true };
    return item.startsWith("http:") ? { http: item.slice("http:".length) } : { file: item };
  });
}
