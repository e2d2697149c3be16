import { z } from "zod";
import { formSchema, typedNumber } from "@/lib/client/forms/typed";
import { type Alert, AlertMetric, CreateAlert } from "@/lib/schema/traces/alert";
import { windowLabel } from "@/lib/schema/traces/alert-labels";
import { canMeasure } from "@/lib/schema/traces/alert-query";

/** Ways besides those that the person has chosen for alerts. */
export const EMAIL = "email";
export const CHAT = "chat";

const AlertForm = z.object({
  name: z.string(),
  query: z.string(),
  metric: AlertMetric,
  threshold: typedNumber(z.number("Give a number.")),
  /** Minutes. */
  window: z.string(),
  ways: z.array(z.string()),
  /** The id of a webhook that goes out; empty for none. */
  webhook: z.string(),
});
export type AlertForm = z.input<typeof AlertForm>;

/** What a dialog about an alert types into. */
export const AlertFormSchema = formSchema(AlertForm, toBody, CreateAlert);

function toBody({ name, query, metric, threshold, window, ways, webhook }: z.output<typeof AlertForm>) {
  const targets = [
    { notify: true as const },
    ...(ways.includes(EMAIL) ? [{ email: true as const }] : []),
    ...(ways.includes(CHAT) ? [{ channel: "last" as const }] : []),
    ...(webhook === "" ? [] : [{ webhook }]),
  ];
  return { name, query, metric, threshold, windowMinutes: Number(window), targets };
}

/** Which field shows a problem of the request. */
export function alertField(path: string): string {
  const [first = ""] = path.split(".");
  if (first === "windowMinutes") return "window";
  if (first === "targets") return "webhook";
  return first;
}

interface Suggested {
  readonly threshold: string;
  readonly window: string;
  /** The unit of the threshold; null where it only has to happen at all. */
  readonly unit: string | null;
}

const SUGGESTED: Readonly<Record<AlertMetric, Suggested>> = {
  error_rate: { threshold: "20", window: "60", unit: "%" },
  p95_worked: { threshold: "60", window: "60", unit: "seconds" },
  cost_per_day: { threshold: "5", window: "1440", unit: "USD" },
  waiting: { threshold: "60", window: "60", unit: "minutes" },
  problem_back: { threshold: "0", window: "1440", unit: null },
  schedule_missed: { threshold: "0", window: "1440", unit: null },
};

export function suggestedFor(metric: AlertMetric): Suggested {
  return SUGGESTED[metric];
}

/** A new alert on what the list shows under these filters. */
export function newAlertForm(query: string): AlertForm {
  const metric = canMeasure(query, "problem_back") ? "problem_back" : "error_rate";
  const { threshold, window } = suggestedFor(metric);
  return { name: "", query, metric, threshold, window, ways: [], webhook: "" };
}

export function alertForm({ name, query, metric, threshold, windowMinutes, targets }: Alert): AlertForm {
  const ways = [
    ...(targets.some((target) => "email" in target) ? [EMAIL] : []),
    ...(targets.some((target) => "channel" in target) ? [CHAT] : []),
  ];
  const [webhook = ""] = targets.flatMap((target) => ("webhook" in target ? [target.webhook] : []));
  return { name, query, metric, threshold: String(threshold), window: String(windowMinutes), ways, webhook };
}

/** What can be measured under the filters. */
export function metricsFor(query: string): AlertMetric[] {
  return AlertMetric.options.filter((metric) => canMeasure(query, metric));
}

const WINDOWS = [15, 60, 360, 1_440, 10_080];

/** The windows to choose from, that of the alert among them. */
export function windowOptions(chosen: string): { readonly id: string; readonly name: string }[] {
  const minutes = [...new Set([...WINDOWS, Number(chosen)])].filter((count) => count > 0).toSorted((a, b) => a - b);
  return minutes.map((count) => ({ id: String(count), name: `The last ${windowLabel(count)}` }));
}
