import { z } from "zod";

export const Role = z.enum(["viewer", "member", "admin"]);
export type Role = z.infer<typeof Role>;

export const Scope = z.enum(["read", "chat", "admin"]);
export type Scope = z.infer<typeof Scope>;

/** Who asks: `scopes` are those of the role, or of the key where one was used (never more than the role's). */
export const Viewer = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  scopes: z.array(Scope),
});
export type Viewer = z.infer<typeof Viewer>;

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  createdAt: z.string(),
  deactivatedAt: z.string().nullable(),
});
export type User = z.infer<typeof User>;
