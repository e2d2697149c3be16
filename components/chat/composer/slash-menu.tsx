"use client";
import { type KeyboardEvent, useState } from "react";
import { mentionIn } from "@/lib/client/chat/composer/mention";
import { SLASH_COMMANDS, type SlashCommand } from "@/lib/client/chat/composer/use-commands";
import type { McpOffers } from "@/lib/client/chat/composer/use-mcp-offers";
import { classNames } from "@/lib/client/ui/class-names";
import { useFold } from "@/lib/client/ui/text/use-fold";

export interface SlashMenuState {
  readonly commands: readonly SlashCommand[];
  /** Sentences below the commands. */
  readonly notes: readonly string[];
  readonly activeIndex: number;
  readonly choose: (command: SlashCommand) => void;
  /** True if the menu handled the key. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

interface OfferedCommands {
  readonly commands?: readonly SlashCommand[] | undefined;
  readonly skills?: readonly SlashCommand[] | undefined;
  readonly agents?: readonly SlashCommand[] | undefined;
  readonly mcp?: McpOffers | undefined;
}

const NO_SKILLS: readonly SlashCommand[] = [];
const NO_OFFERS = { prompts: NO_SKILLS, resources: NO_SKILLS, away: [] };

/** A menu shows only the first agents and resources; more letters find the others. */
const MOST_MENTIONED = 50;

/**
 * Open while the text is the beginning of a command, a skill or a prompt, or ends with an `@` and the beginning of an
 * agent or a resource. Choosing one only inserts it into the composer; Enter then sends it like any other message.
 */
export function useSlashMenu(
  text: string,
  onText: (text: string) => void,
  { commands: own = SLASH_COMMANDS, skills = NO_SKILLS, agents = NO_SKILLS, mcp = NO_OFFERS }: OfferedCommands = {},
): SlashMenuState {
  const [moved, setMoved] = useState({ text: "", index: 0 });
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const isOpen = text !== closedFor;
  const fold = useFold(text.startsWith("/") || mentionIn(text) !== null);
  const offered = { slashed: [...own, ...skills, ...mcp.prompts], resources: [...agents, ...mcp.resources] };
  const commands = isOpen ? matching(text, offered, fold) : [];
  const notes = isOpen && (mentionIn(text) !== null || /^\/\S*$/.test(text)) ? mcp.away : [];
  const activeIndex = moved.text === text ? Math.min(moved.index, commands.length - 1) : 0;
  const move = (by: number) => setMoved({ text, index: (activeIndex + by + commands.length) % commands.length });
  const active = commands[activeIndex];
  const choose = ({ name, writes = name, onChoose = () => onText(writes) }: SlashCommand) => onChoose();
  const actions: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: () => setClosedFor(text),
    Tab: active === undefined ? undefined : () => choose(active),
    Enter: active === undefined || (active.name === text && !active.onChoose) ? undefined : () => choose(active),
  };
  return {
    commands,
    notes,
    activeIndex,
    choose,
    onKeyDown(event) {
      const isNoteOnly = commands.length === 0 && (notes.length === 0 || event.key !== "Escape");
      const act = isNoteOnly || event.shiftKey ? undefined : actions[event.key];
      if (act === undefined) return false;
      event.preventDefault();
      act();
      return true;
    },
  };
}

interface Offered {
  readonly slashed: readonly SlashCommand[];
  readonly resources: readonly SlashCommand[];
}

/** The commands that begin with the text; none once a complete command is there. */
function matching(text: string, { slashed, resources }: Offered, fold: (text: string) => string): SlashCommand[] {
  const mention = mentionIn(text);
  if (mention !== null) {
    const wanted = fold(mention);
    const ranked = resources.map((command) => ({ command, rank: mentionRank(command, wanted, fold) }));
    const found = ranked.filter(({ rank }) => rank < NOT_MENTIONED).toSorted((a, b) => a.rank - b.rank);
    return found.slice(0, MOST_MENTIONED).map(({ command }) => command);
  }
  if (!text.startsWith("/")) return [];
  const found = slashed.filter(({ name }) => fold(name).startsWith(fold(text)));
  const [only] = found;
  return found.length === 1 && only?.name === text && !only.onChoose ? [] : found;
}

const NOT_MENTIONED = 4;

/** 0 for a name that begins with `wanted`, then a part of the path that does, any other part of the name, the description. */
function mentionRank({ name, does }: SlashCommand, wanted: string, fold: (text: string) => string): number {
  const folded = fold(name.slice(1));
  if (folded.startsWith(wanted)) return 0;
  if (folded.includes(`/${wanted}`) || folded.includes(`:${wanted}`)) return 1;
  if (fold(name).includes(wanted)) return 2;
  return fold(`${name} ${does}`).includes(wanted) ? 3 : NOT_MENTIONED;
}

/** Lies over what is above the field: nothing moves when it opens. */
export function SlashMenu({ id, menu }: { id: string; menu: SlashMenuState }) {
  if (menu.commands.length === 0 && menu.notes.length === 0) return null;
  return (
    <div className="absolute inset-x-0 bottom-full z-10 mb-1 max-h-[min(18rem,40dvh)] overflow-y-auto rounded-lg border border-border bg-overlay p-1 shadow-overlay">
      {menu.commands.length === 0 ? null : <CommandList id={id} menu={menu} />}
      {menu.notes.map((note) => (
        <p key={note} role="status" className="px-2 py-1 text-xs break-words text-muted">
          {note}
        </p>
      ))}
    </div>
  );
}

function CommandList({ id, menu }: { id: string; menu: SlashMenuState }) {
  return (
    <div id={id} role="listbox" aria-label="Commands and skills">
      {menu.commands.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={command.key ?? command.name}
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
          <span className="max-w-1/2 min-w-28 shrink-0 truncate font-mono text-xs">{command.name}</span>
          <span className="truncate text-muted">{command.does}</span>
        </div>
      ))}
    </div>
  );
}

/** Scrolls the marked row into view, wherever the list was. */
function showRow(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: "nearest" });
}
