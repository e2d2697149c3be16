import type { ReactNode } from "react";

export interface MenuAction {
  id: string;
  label: string;
  icon?: ReactNode;
  shortcut?: string;
  /** Followed by the browser itself: downloads and other sites. */
  href?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** The selected one of its group, shown with a tick. */
  isCurrent?: boolean;
  /** Draws a line above. */
  startsGroup?: boolean;
  onAction?: () => void;
}

export interface MenuProps {
  label: string;
  /** The button that opens it: a kit `Button` or `IconButton`. */
  trigger: ReactNode;
  actions: readonly MenuAction[];
  /** Above the actions, not focusable. */
  header?: ReactNode;
  placement?: "bottom start" | "bottom end" | "top start" | "right bottom";
}
