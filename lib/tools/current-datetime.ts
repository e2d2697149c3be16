import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";

export const currentDatetimeTool: Tool = defineTool({
  name: "current_datetime",
  kind: "read",
  description: "Get the current date and time.",
  input: z.object({
    timezone: z.string().min(1).default("UTC").describe("IANA time zone such as Europe/Berlin; UTC by default."),
  }),
  annotations: { readOnly: true },
  async execute({ timezone }, { context }) {
    return formatInZone(context.now(), timezone);
  },
});

/** ISO 8601 to the second with the zone's offset, such as `2026-03-29T03:00:00+02:00`. */
function formatInZone(timeMs: number, timezone: string): string {
  const parts = new Map(
    zoneFormat(timezone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  const offset = part("timeZoneName").replace("GMT", "") || "+00:00";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}${offset}`;
}

function zoneFormat(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-CA", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "longOffset",
    });
  } catch (error) {
    throw new Error(`unknown timezone: ${timezone}. Use an IANA name such as Europe/Berlin or UTC.`, { cause: error });
  }
}
