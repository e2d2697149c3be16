"use client";
import { type KeyboardEvent, useState } from "react";
import { SLASH_COMMANDS, type SlashCommand } from "@/lib/client/chat/composer/use-commands";
import { classNames } from "@/lib/client/ui/class-names";

export interface SlashMenuState {
  readonly commands: readonly SlashCommand[];
  readonly activeIndex: number;
  readonly choose: (command: SlashCommand) => void;
  /** True when the menu has used the key. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

interface OfferedCommands {
  readonly commands?: readonly SlashCommand[] | undefined;
  readonly skills?: readonly SlashCommand[] | undefined;
}

const NO_SKILLS: readonly SlashCommand[] = [];

/**
 * Open while the text is the beginning of a command or of a skill. Choosing one only writes it into the composer; Enter
 * then sends it like any other message.
 */
export function useSlashMenu(
  text: string,
  onText: (text: string) => void,
  { commands: own = SLASH_COMMANDS, skills = NO_SKILLS }: OfferedCommands = {},
): SlashMenuState {
  const [moved, setMoved] = useState({ text: "", index: 0 });
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const isOpen = text.startsWith("/") && text !== closedFor;
  const offered = isOpen ? [...own, ...skills] : [];
  const found = offered.filter(({ name }) => name.startsWith(text.toLowerCase()));
  const commands = found.some(({ name }) => name === text) && found.length === 1 ? [] : found;
  const activeIndex = moved.text === text ? Math.min(moved.index, commands.length - 1) : 0;
  const move = (by: number) => setMoved({ text, index: (activeIndex + by + commands.length) % commands.length });
  const active = commands[activeIndex];
  const choose = ({ name, writes = name }: SlashCommand) => onText(writes);
  const actions: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: () => setClosedFor(text),
    Tab: active === undefined ? undefined : () => choose(active),
    Enter: active === undefined || active.name === text ? undefined : () => choose(active),
  };
  return {
    commands,
    activeIndex,
    choose,
    onKeyDown(event) {
      const act = commands.length === 0 || event.shiftKey ? undefined : actions[event.key];
      if (act === undefined) return false;
      event.preventDefault();
      act();
      return true;
    },
  };
}

export function SlashMenu({ id, menu }: { id: string; menu: SlashMenuState }) {
  if (menu.commands.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Commands and skills"
      className="mb-1 max-h-72 overflow-y-auto rounded-lg border border-border bg-overlay p-1 shadow-overlay"
    >
      {menu.commands.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={command.name}
          ref={index === menu.activeIndex ? showRow : undefined}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === menu.activeIndex}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => menu.choose(command)}
          className={classNames(
            "flex h-8 cursor-default items-center gap-3 rounded-sm px-2 text-sm touch-row hover:bg-default",
            index === menu.activeIndex && "bg-default",
          )}
        >
          <span className="max-w-1/2 min-w-20 shrink-0 truncate font-mono text-xs">{command.name}</span>
          <span className="truncate text-muted">{command.does}</span>
        </div>
      ))}
    </div>
  );
}

/** The marked row, wherever the list was scrolled. */
function showRow(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: "nearest" });
}
