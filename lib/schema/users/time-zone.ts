import { z } from "zod";

/** An IANA name that this runtime knows, such as Europe/Berlin. */
const TimeZone = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .refine((name) => isTimeZone(name), "must be a time zone such as Europe/Berlin");

/** Whether the runtime can tell the time there. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** PATCH `/api/me`: what a person says of themselves; null: the server's zone. */
export const UpdateMeBody = z.strictObject({ timeZone: TimeZone.nullable() });
/** Its reply. `serverTimeZone` holds where a person has chosen none. */
export const OwnTimeZone = z.object({ timeZone: z.string().nullable(), serverTimeZone: z.string() });
export type OwnTimeZone = z.infer<typeof OwnTimeZone>;
