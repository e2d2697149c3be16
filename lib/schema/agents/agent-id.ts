import { z } from "zod";
import { fold } from "@/lib/schema/fold";

/** The agent that answers on a fresh installation. */
export const DEFAULT_AGENT = "default";

/** Agent ids in URLs; the reserved words are static segments next to `/agents/{id}`. */
export const AgentId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "must be 1 to 64 small letters, digits, - and _, and begin with a letter or digit",
  )
  .refine((id) => !["traces", "tools", "hooks", "skills"].includes(id), "is a reserved name");

const MAX_LENGTH = 64;

/** An id from an agent's name: `Invoice check` becomes `invoice-check`; a name without letters of Latin, `agent`. */
export function agentIdFrom(name: string): string {
  const words = fold(name)
    .split(/[^a-z0-9]/u)
    .filter((word) => word !== "");
  const id = words.join("-").slice(0, MAX_LENGTH);
  return AgentId.safeParse(id).success ? id : ["agent", ...words].join("-").slice(0, MAX_LENGTH);
}
