import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Reader } from "@/lib/schema/users/user";

/**
 * For what concerns a person with all of their agents, such as where they get notices: refused to keys that are limited
 * to some agents. Throws `forbidden`.
 */
export function requireWholePerson({ reach }: Pick<Reader, "reach">): void {
  if (!reach) return;
  throw new AppError("forbidden", "This key is limited to some agents, and this concerns all of them.");
}
