"use client";
import { Keyboard, LockKeyhole, LogOut, Moon, Search, Settings, Sun } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { LoadedSheet } from "@/components/ui/overlays/loaded-sheet";
import type { Role } from "@/lib/schema/users/user";
import { InstallationTitle } from "./installation-title";
import { OWN_PAGES, placesFor } from "./places/nav-items";
import type { UserMenuProps } from "./user-menu";

export interface PhoneMenuProps extends UserMenuProps {
  pathname: string;
  /** The current theme, whether chosen or the system's. */
  isDark: boolean;
  isOpen: boolean;
  onClose: () => void;
  onOpenPalette: () => void;
}

const ROW =
  "flex h-11 w-full items-center gap-3 rounded-md px-3 text-left text-sm hover:bg-default [&>svg]:size-[17px] [&>svg]:text-muted";
const LINK = `${ROW} aria-[current=page]:bg-surface-tertiary aria-[current=page]:font-medium`;

/** What the bar at the foot of a phone has no room for, sized for a thumb. */
export function PhoneMenu({ viewer, pathname, isDark, isOpen, onClose, onOpenPalette, ...menu }: PhoneMenuProps) {
  const nextTheme = isDark ? "light" : "dark";
  return (
    <LoadedSheet label="More" side="left" isOpen={isOpen} onClose={onClose}>
      <div className="flex items-center gap-2 border-b border-border p-3 text-sm font-semibold">
        <InstallationTitle />
      </div>
      <nav aria-label="More" className="flex-1 overflow-y-auto p-2">
        {linksFor(viewer.role).map(({ href, label, icon: Icon }) => (
          <Link
            key={href}
            href={href}
            onClick={onClose}
            aria-current={pathname.startsWith(href) ? "page" : undefined}
            className={LINK}
          >
            <Icon aria-hidden /> {label}
          </Link>
        ))}
        <MenuButton icon={<Search aria-hidden />} onPress={onOpenPalette} onClose={onClose}>
          Search and commands
        </MenuButton>
      </nav>
      <div className="border-t border-border p-2">
        <p className="truncate px-3 py-2 text-xs text-muted">
          {viewer.name} · {viewer.role}
        </p>
        <MenuButton
          icon={nextTheme === "dark" ? <Moon aria-hidden /> : <Sun aria-hidden />}
          onPress={() => menu.onTheme(nextTheme)}
          onClose={onClose}
        >
          {nextTheme === "dark" ? "Dark theme" : "Light theme"}
        </MenuButton>
        <MenuButton icon={<Keyboard aria-hidden />} onPress={menu.onShowKeys} onClose={onClose}>
          Keys
        </MenuButton>
        <MenuButton icon={<LockKeyhole aria-hidden />} onPress={menu.onChangePassword} onClose={onClose}>
          Change password
        </MenuButton>
        <MenuButton icon={<LogOut aria-hidden />} onPress={menu.onSignOut} onClose={onClose}>
          Sign out
        </MenuButton>
      </div>
    </LoadedSheet>
  );
}

function linksFor(role: Role) {
  return [
    ...placesFor(role).filter(({ id }) => id === "admin"),
    ...OWN_PAGES,
    { label: "My settings", icon: Settings, href: "/settings/account" },
  ];
}

interface MenuButtonProps {
  icon: ReactNode;
  children: ReactNode;
  onPress: () => void;
  onClose: () => void;
}

function MenuButton({ icon, children, onPress, onClose }: MenuButtonProps) {
  return (
    <button
      type="button"
      className={ROW}
      onClick={() => {
        onClose();
        onPress();
      }}
    >
      {icon}
      {children}
    </button>
  );
}
