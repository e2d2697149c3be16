"use client";
import { Keyboard, LockKeyhole, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { PressButton } from "@/components/ui/controls/press-button";
import { Menu } from "@/components/ui/overlays/menu";
import type { MenuAction } from "@/components/ui/overlays/menu-props";
import { initials } from "@/lib/client/ui/text/format";
import type { Viewer } from "@/lib/schema/users/user";
import { OWN_PAGES } from "./places/nav-items";

export type Theme = "system" | "light" | "dark";

export interface UserMenuProps {
  viewer: Viewer;
  theme: Theme;
  onTheme: (theme: Theme) => void;
  onShowKeys: () => void;
  onChangePassword: () => void;
  onSignOut: () => void;
}

const THEMES = [
  { id: "system", label: "System theme", icon: <Monitor /> },
  { id: "light", label: "Light", icon: <Sun /> },
  { id: "dark", label: "Dark", icon: <Moon /> },
] as const;

export function UserMenu({ viewer, theme, onTheme, onShowKeys, onChangePassword, onSignOut }: UserMenuProps) {
  const actions: MenuAction[] = [
    ...THEMES.map((choice) => ({
      id: choice.id,
      label: choice.label,
      isCurrent: choice.id === theme,
      icon: choice.icon,
      onAction: () => onTheme(choice.id),
    })),
    {
      id: "keys",
      label: "Keys on this page",
      icon: <Keyboard />,
      shortcut: "?",
      startsGroup: true,
      onAction: onShowKeys,
    },
    ...OWN_PAGES.map(({ id, label, icon: Icon, href }, index) => ({
      id,
      label,
      icon: <Icon />,
      href,
      startsGroup: index === 0,
    })),
    { id: "settings", label: "My settings", icon: <Settings />, href: "/settings/account" },
    {
      id: "password",
      label: "Change password",
      icon: <LockKeyhole />,
      startsGroup: true,
      onAction: onChangePassword,
    },
    { id: "sign-out", label: "Sign out", icon: <LogOut />, startsGroup: true, onAction: onSignOut },
  ];
  return (
    <Menu
      label="User"
      placement="right bottom"
      actions={actions}
      header={
        <div className="mb-1 border-b border-separator px-2 pt-1 pb-2 text-xs">
          <p className="font-medium">{viewer.name}</p>
          <p className="text-muted">
            {viewer.email} · {viewer.role}
          </p>
        </div>
      }
      trigger={
        <PressButton
          aria-label={`User menu of ${viewer.name}, ${initials(viewer.name)}`}
          className="mt-1 flex size-7 items-center justify-center rounded-full bg-surface-tertiary text-2xs font-medium touch-target"
        >
          <span aria-hidden="true">{initials(viewer.name)}</span>
        </PressButton>
      }
    />
  );
}
