import { z } from "zod";

/** Agent ids in URLs; the reserved words are static segments next to `/agents/{id}`. */
export const AgentId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "must be 1 to 64 small letters, digits, - and _, and begin with a letter or digit",
  )
  .refine((id) => !["traces", "tools", "hooks", "skills"].includes(id), "is a reserved name");
