"use client";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Separator } from "react-aria-components/Separator";
import { Kbd } from "@/components/ui/kbd";
import { classNames } from "@/lib/client/ui/class-names";

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

export function Menu({ label, trigger, actions, header, placement = "bottom end" }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover
        placement={placement}
        offset={4}
        className="overlay-motion min-w-44 rounded-lg bg-overlay p-1 shadow-overlay"
      >
        {header}
        <AriaMenu aria-label={label} className="outline-none">
          {actions.flatMap((action) => [
            action.startsGroup ? (
              <Separator key={`${action.id}-line`} className="-mx-1 my-1 h-px border-0 bg-separator" />
            ) : null,
            <MenuRow key={action.id} action={action} />,
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function MenuRow({ action }: { action: MenuAction }) {
  return (
    <AriaMenuItem
      id={action.id}
      textValue={action.label}
      href={action.href}
      isDisabled={action.isDisabled}
      onAction={action.onAction}
      className={classNames(
        "flex h-7 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none touch-row data-[disabled]:opacity-50 data-[focused]:bg-default [&>svg]:size-4 [&>svg]:shrink-0",
        action.isDanger ? "text-fail-text" : "[&>svg]:text-muted",
      )}
    >
      {action.icon}
      <span className="min-w-0 flex-1 truncate">
        {action.label}
        {action.isCurrent ? <span className="sr-only"> (now)</span> : null}
      </span>
      {action.isCurrent ? <Check aria-hidden /> : null}
      {action.shortcut ? <Kbd>{action.shortcut}</Kbd> : null}
    </AriaMenuItem>
  );
}
