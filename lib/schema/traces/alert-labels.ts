import { formatDuration } from "@/lib/schema/format-duration";
import { type Alert, type AlertMetric, isCount } from "./alert";

type Measured = Pick<Alert, "metric" | "threshold" | "windowMinutes">;

const NAMES: Readonly<Record<AlertMetric, string>> = {
  error_rate: "Error rate",
  p95_worked: "Time worked, p95",
  cost_per_day: "Cost a day",
  waiting: "Waiting for a person",
  problem_back: "A problem comes back",
  schedule_missed: "A schedule is missed",
};

export function metricName(metric: AlertMetric): string {
  return NAMES[metric];
}

/** "12 %", "1.5 s", "$3.20", "2 runs", "no runs". */
export function valueLabel(metric: AlertMetric, value: number | null): string {
  if (value === null) return metric === "waiting" ? "nobody waits" : "no runs";
  switch (metric) {
    case "error_rate":
      return `${rounded(value)} %`;
    case "p95_worked":
      return formatDuration(value * 1_000);
    case "cost_per_day":
      return `$${value.toFixed(2)}`;
    case "waiting":
      return formatDuration(value * 60_000);
    case "problem_back":
      return value === 1 ? "1 run" : `${value} runs`;
    case "schedule_missed":
      return value === 1 ? "1 due time" : `${value} due times`;
  }
}

/** When it fires: "Error rate over 10 % in the last hour". */
export function conditionLabel({ metric, threshold, windowMinutes }: Measured): string {
  const over = isCount(metric) && threshold === 0 ? "" : ` over ${valueLabel(metric, threshold)}`;
  return `${NAMES[metric]}${over}${metric === "waiting" ? "" : ` in the last ${windowLabel(windowMinutes)}`}`;
}

/** "hour", "24 hours", "45 minutes". */
export function windowLabel(minutes: number): string {
  const [count, unit] =
    minutes % 1_440 === 0 && minutes > 1_440
      ? [minutes / 1_440, "day"]
      : minutes % 60 === 0
        ? [minutes / 60, "hour"]
        : [minutes, "minute"];
  return count === 1 ? unit : `${count} ${unit}s`;
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
