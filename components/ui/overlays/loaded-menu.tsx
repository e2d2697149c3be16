"use client";
import { Check } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Separator } from "react-aria-components/Separator";
import { Kbd } from "@/components/ui/kbd";
import { classNames } from "@/lib/client/ui/class-names";
import { AriaTriggers } from "./aria-triggers";
import type { MenuAction, MenuProps } from "./menu-props";

interface LoadedMenuProps extends MenuProps {
  /** Opened by keyboard, its first action is highlighted; by a pointer none is. */
  openedBy: "keys" | "pointer";
}

/** The menu itself, which opens as soon as it is loaded; its trigger stays in place. */
export function LoadedMenu({ label, trigger, actions, header, placement = "bottom end", openedBy }: LoadedMenuProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const button = place.current?.querySelector("button");
    // The focus returns here when the menu closes.
    button?.focus({ preventScroll: true });
    if (openedBy === "keys") button?.click();
    else setOpen(true);
  }, [openedBy]);
  return (
    <span ref={place} className="contents">
      <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <AriaTriggers>{trigger}</AriaTriggers>
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
    </span>
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
