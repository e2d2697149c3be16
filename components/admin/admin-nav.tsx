"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { adminGroupsFor } from "@/components/shell/admin-places";
import type { Role } from "@/lib/schema/users/user";

/** The console pages that this person may open; above the page on narrow screens, below it on a phone. */
export function AdminNav({ role }: { role: Role }) {
  const pathname = usePathname();
  const groups = adminGroupsFor(role);
  return (
    <nav
      data-bottom-bar
      aria-label="Admin"
      className="w-[176px] shrink-0 border-r border-border bg-background px-2 max-lg:flex max-lg:h-10 max-lg:w-auto max-lg:items-center max-lg:gap-1 max-lg:overflow-x-auto max-lg:border-r-0 max-lg:border-b max-lg:pl-4 max-md:order-last max-md:border-t max-md:border-b-0 max-md:pl-2 pointer-coarse:max-lg:h-12"
    >
      <h2 className="flex h-12 items-center px-2 text-sm font-semibold max-lg:hidden">Admin</h2>
      {groups.map(({ name, rows }) => (
        <section key={name} className="mb-3 max-lg:contents">
          <h3 className="flex h-7 items-center px-2 text-xs text-muted max-lg:hidden">{name}</h3>
          {rows.map(({ word, icon: Icon, href }) => (
            <Link
              key={href}
              href={href}
              aria-current={pathname === href || pathname.startsWith(`${href}/`) ? "page" : undefined}
              className="flex h-8 shrink-0 items-center gap-2 rounded-md px-2 text-sm text-muted touch-row hover:bg-default aria-[current=page]:bg-surface-tertiary aria-[current=page]:font-medium aria-[current=page]:text-foreground"
            >
              <Icon className="size-4" strokeWidth={1.75} aria-hidden />
              {word}
            </Link>
          ))}
        </section>
      ))}
    </nav>
  );
}
