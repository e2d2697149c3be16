import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { shownOnce } from "@/lib/schema/shown-once";
import { PlainName, Scope } from "./user";

/** A key as lists show it; the key itself is shown once, when it is created. Times are ISO 8601. */
export const ApiKey = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(Scope),
  /** The agents it may use, and the group whose agents it may use; both null: all that its owner may. */
  agents: z.array(z.string()).nullable(),
  groupId: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const KeyState = z.enum(["valid", "revoked", "expired", "deleted"]);
export type KeyState = z.infer<typeof KeyState>;

/** The key with which something was made: that keeps its limits and ends with it. */
export const MadeByKey = z.object({
  id: z.string(),
  /** Null once it is deleted. */
  name: z.string().nullable(),
  state: KeyState,
  expiresAt: z.string().nullable(),
});
export type MadeByKey = z.infer<typeof MadeByKey>;

export const ApiKeyList = z.object({ apiKeys: z.array(ApiKey), nextCursor: z.string().nullable() });
export const CreatedApiKey = ApiKey.extend({ key: shownOnce(z.string()) });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const CreateApiKeyBody = z.strictObject({
  name: PlainName,
  scopes: z.array(Scope).min(1).max(3),
  /** Limits the key to these agents, and to a group's; with both, to the agents of either. */
  agents: z.array(AgentId).min(1).max(200).nullable().optional(),
  groupId: z.string().min(1).max(100).nullable().optional(),
  /** Whose key it is, with RINGMASTER_ADMIN_API_KEY; everybody else makes keys for themselves. */
  userId: z.string().max(100).optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullable().optional(),
});
export type CreateApiKeyBody = z.infer<typeof CreateApiKeyBody>;
