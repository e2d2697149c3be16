"use client";
import { Search } from "lucide-react";
import Link from "next/link";
import { useTheme } from "next-themes";
import { memo } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Mark } from "@/components/ui/mark";
import { useInstallationName } from "@/lib/client/ui/installation-name";
import type { Viewer } from "@/lib/schema/users/user";
import { placesFor } from "./places/nav-items";
import { PlaceLink } from "./places/place-link";
import { type Theme, UserMenu, type UserMenuProps } from "./user-menu";

type MenuProps = Omit<UserMenuProps, "theme" | "onTheme">;

export interface RailProps extends MenuProps {
  viewer: Viewer;
  onOpenPalette: () => void;
}

/** The one navigation on every page; below 768 px a bar at the foot replaces it. */
export const Rail = memo(function Rail({ viewer, onOpenPalette, ...menu }: RailProps) {
  const name = useInstallationName();
  return (
    <nav
      aria-label="Main"
      className="flex w-[72px] shrink-0 flex-col items-center gap-1 border-r border-border bg-background py-3 max-md:hidden"
    >
      <button
        type="button"
        onClick={skipToPage}
        className="sr-only focus-visible:not-sr-only focus-visible:absolute focus-visible:top-2 focus-visible:left-2 focus-visible:z-10 focus-visible:rounded-md focus-visible:bg-overlay focus-visible:px-3 focus-visible:py-2 focus-visible:text-sm focus-visible:shadow-overlay"
      >
        Skip to the page
      </button>
      <Link
        href="/"
        aria-label={`${name}, start page`}
        title={name}
        className="mb-3 flex size-9 items-center justify-center rounded-md"
      >
        <Mark />
      </Link>
      {placesFor(viewer.role).map((place) => (
        <PlaceLink
          key={place.id}
          place={place}
          className="h-12 w-[68px] rounded-md hover:bg-default aria-[current=page]:bg-surface-tertiary"
        />
      ))}
      <span className="flex-1" />
      <IconButton label="Search and commands" shortcut="⌘K" size="md" onPress={onOpenPalette}>
        <Search strokeWidth={1.75} />
      </IconButton>
      <ThemedUserMenu viewer={viewer} {...menu} />
    </nav>
  );
});

function ThemedUserMenu(props: MenuProps) {
  const { theme, setTheme } = useTheme();
  return <UserMenu {...props} theme={(theme ?? "system") as Theme} onTheme={setTheme} />;
}

/** Skips the rail and the list: by keyboard that would be a hundred steps. */
function skipToPage(): void {
  const page = document.querySelector("main");
  if (page === null) return;
  page.tabIndex = -1;
  page.focus();
}
