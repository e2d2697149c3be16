import "server-only";
import { Role, type User } from "@/lib/schema/users/user";

/** The columns that `toUser` needs. */
export const USER_FIELDS = {
  id: true,
  name: true,
  email: true,
  role: true,
  groupRole: true,
  createdAt: true,
  deactivatedAt: true,
  erasedAt: true,
} as const;

interface UserRow {
  id: string;
  name: string;
  email: string;
  role: string;
  groupRole: string | null;
  createdAt: Date;
  deactivatedAt: Date | null;
  erasedAt: Date | null;
}

/** A row as the API returns it. */
export function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: Role.parse(row.role),
    groupRole: Role.nullable().parse(row.groupRole),
    createdAt: row.createdAt.toISOString(),
    deactivatedAt: row.deactivatedAt?.toISOString() ?? null,
    erasedAt: row.erasedAt?.toISOString() ?? null,
  };
}
