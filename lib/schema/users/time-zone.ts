import { z } from "zod";

/** An IANA name that this runtime knows, such as Europe/Berlin. */
export const TimeZone = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .refine((name) => isTimeZone(name), "must be a time zone such as Europe/Berlin");

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** PATCH `/api/me`: a person's own settings; null: the server's zone. */
export const UpdateMeBody = z.strictObject({ timeZone: TimeZone.nullable() });
/** The reply. `serverTimeZone` applies if a person has chosen none. */
export const OwnTimeZone = z.object({ timeZone: z.string().nullable(), serverTimeZone: z.string() });
export type OwnTimeZone = z.infer<typeof OwnTimeZone>;
