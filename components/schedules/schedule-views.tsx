import Link from "next/link";
import { Count } from "@/components/ui/tag";
import { classNames } from "@/lib/client/ui/class-names";

const VIEWS = [
  { id: "schedules", name: "Schedules", href: "/schedules" },
  { id: "heartbeats", name: "Heartbeats", href: "/schedules/heartbeats" },
  { id: "log", name: "Log", href: "/schedules/log" },
] as const;

interface ScheduleViewsProps {
  current: (typeof VIEWS)[number]["id"];
  /** How many there are in this view, once known. */
  count: number | undefined;
}

/** Links to everything that starts automatically, by kind. */
export function ScheduleViews({ current, count }: ScheduleViewsProps) {
  return (
    <nav aria-label="Views" className="flex items-center gap-1 pl-3 max-sm:pl-1">
      {VIEWS.map(({ id, name, href }) => (
        <Link
          key={id}
          href={href}
          aria-current={id === current ? "page" : undefined}
          className={classNames(
            "flex h-7 items-center gap-1.5 rounded-md px-2 text-sm text-muted touch-row hover:text-foreground",
            id === current && "bg-default text-foreground max-sm:font-medium",
          )}
        >
          {name}
          {id === current && count !== undefined ? (
            <span className="max-sm:hidden">
              <Count>{count}</Count>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
