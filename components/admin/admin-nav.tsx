"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { ADMIN_PLACES } from "@/components/shell/places/admin-places";
import { useCurrentInView } from "@/lib/client/ui/use-current-in-view";

/** The pages of the console; above the page on narrow screens. */
export function AdminNav() {
  const pathname = usePathname();
  const row = useCurrentInView<HTMLElement>(pathname);
  return (
    <nav
      ref={row}
      aria-label="Admin"
      className="w-[176px] shrink-0 border-r border-border bg-background px-2 max-lg:flex max-lg:h-10 max-lg:w-auto max-lg:items-center max-lg:gap-1 max-lg:overflow-x-auto max-lg:border-r-0 max-lg:border-b max-lg:pl-4 pointer-coarse:max-lg:h-12"
    >
      <h2 className="flex h-12 items-center px-2 text-sm font-semibold max-lg:hidden">Admin</h2>
      {ADMIN_PLACES.map(({ word, icon: Icon, href }) => (
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
    </nav>
  );
}
