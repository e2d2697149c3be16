"use client";
import { Keyboard, LockKeyhole, LogOut, Moon, Search, Sun } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { InboxRow } from "@/components/inbox/inbox-link";
import { Sheet } from "@/components/ui/overlays/dialog";
import { InstallationTitle } from "./installation-title";
import { isAt, placesFor } from "./places";
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

/** The rail's content, with labels, sized for a thumb. */
export function PhoneMenu({ viewer, pathname, isDark, isOpen, onClose, onOpenPalette, ...menu }: PhoneMenuProps) {
  const nextTheme = isDark ? "light" : "dark";
  return (
    <Sheet label="Menu" side="left" isOpen={isOpen} onClose={onClose}>
      <div className="flex items-center gap-2 border-b border-border p-3 text-sm font-semibold">
        <InstallationTitle />
      </div>
      <nav aria-label="Main" className="flex-1 p-2">
        {placesFor(viewer.role).map((place) => (
          <Link
            key={place.id}
            href={place.href}
            onClick={onClose}
            aria-current={isAt(place, pathname) ? "page" : undefined}
            className={LINK}
          >
            <place.icon aria-hidden /> {place.label}
          </Link>
        ))}
        <InboxRow isHere={pathname.startsWith("/inbox")} className={LINK} onPress={onClose} />
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
    </Sheet>
  );
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
