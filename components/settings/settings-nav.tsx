"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { SETTINGS_PAGES } from "@/components/shell/places/settings-pages";
import { useShell } from "@/components/shell/shell-context";
import { useCurrentInView } from "@/lib/client/ui/use-current-in-view";

/** The pages of a person's own settings; above the page on narrow screens. */
export function SettingsNav() {
  const pathname = usePathname();
  const { role } = useShell().viewer;
  const row = useCurrentInView<HTMLElement>(pathname);
  return (
    <nav
      ref={row}
      aria-label="My settings"
      className="w-[200px] shrink-0 border-r border-border bg-background px-2 max-lg:flex max-lg:h-10 max-lg:w-auto max-lg:items-center max-lg:gap-1 max-lg:overflow-x-auto max-lg:border-r-0 max-lg:border-b max-lg:pl-4 pointer-coarse:max-lg:h-12"
    >
      <h2 className="flex h-12 items-center px-2 text-sm font-semibold max-lg:hidden">My settings</h2>
      {SETTINGS_PAGES.filter(({ roles }) => roles.includes(role)).map(({ href, label, icon: Icon }) => (
        <Link
          key={href}
          href={href}
          aria-current={pathname === href ? "page" : undefined}
          className="flex h-8 shrink-0 items-center gap-2 rounded-md px-2 text-sm text-muted touch-row hover:bg-default aria-[current=page]:bg-surface-tertiary aria-[current=page]:font-medium aria-[current=page]:text-foreground"
        >
          <Icon className="size-4" strokeWidth={1.75} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}
