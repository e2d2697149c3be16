import Link from "next/link";
import type { InstalledSkill } from "@/lib/schema/skill";

const MOST = 3;

/** The agents that have a skill; each leads to its page. */
export function SkillUsers({ users }: { users: InstalledSkill["usedBy"] }) {
  if (users.length === 0) return <span className="text-muted">no agent</span>;
  const more = users.length - MOST;
  return (
    <span className="relative flex gap-2">
      {users.slice(0, MOST).map(({ id, name }) => (
        <Link key={id} href={`/admin/agents/${id}`} className="max-w-32 truncate text-link hover:underline">
          {name}
        </Link>
      ))}
      {more > 0 ? <span className="text-muted">+{more}</span> : null}
    </span>
  );
}
