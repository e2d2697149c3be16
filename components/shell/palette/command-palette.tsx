"use client";
import { Command } from "cmdk";
import { type ReactNode, useState } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal } from "react-aria-components/Modal";
import { Kbd } from "@/components/ui/kbd";
import { ClosableOverlay } from "@/components/ui/overlays/closable-overlay";
import { fold } from "@/lib/schema/fold";

export interface PaletteCommand {
  id: string;
  label: string;
  /** Muted, after the label; also searched. */
  hint?: string;
  icon?: ReactNode;
  shortcut?: string;
  onRun: () => void;
}

export interface PaletteGroup {
  name: string;
  commands: readonly PaletteCommand[];
  /** The commands are already search results; otherwise those containing its words are shown. */
  isSearched?: boolean;
  /** How many are shown. */
  most?: number;
}

export interface CommandPaletteProps {
  groups: readonly PaletteGroup[];
  /** Below what was found: the search goes on elsewhere. */
  elsewhere: PaletteGroup | null;
  /** The sentence if nothing was found; null while results are on their way. */
  nothing: string | null;
  search: string;
  onSearch: (search: string) => void;
  isOpen: boolean;
  onClose: () => void;
}

/** Every page, agent, thread, person, tool and action by name. */
export function CommandPalette(props: CommandPaletteProps) {
  const { groups, elsewhere, nothing, search, onSearch, isOpen, onClose } = props;
  const [marked, setMarked] = useState("");
  const found = groups.map((group) => (group.isSearched ? group : { ...group, commands: findIn(group, search) }));
  const isFound = found.some(({ commands }) => commands.length > 0);
  const shown = elsewhere === null ? found : [...found, elsewhere];
  const ids = shown.flatMap(({ commands }) => commands.map(({ id }) => id));
  return (
    <ClosableOverlay
      isOpen={isOpen}
      onClose={onClose}
      className="overlay-motion fixed inset-0 z-50 flex items-start justify-center bg-backdrop p-4 pt-[12vh]"
    >
      <Modal className="w-full max-w-[560px] overflow-hidden rounded-lg bg-overlay shadow-overlay">
        <AriaDialog aria-label="Search and commands" className="outline-none">
          <Command
            label="Search and commands"
            loop
            shouldFilter={false}
            value={ids.includes(marked) ? marked : (ids[0] ?? "")}
            onValueChange={setMarked}
          >
            <div className="flex items-center gap-2 border-b border-border px-3">
              <Command.Input
                autoFocus
                value={search}
                onValueChange={(text) => {
                  setMarked("");
                  onSearch(text);
                }}
                placeholder="Search pages, agents, threads and actions"
                className="h-11 flex-1 bg-transparent text-sm outline-none"
              />
              <Kbd>Esc</Kbd>
            </div>
            <p role="status" className="px-3 text-center text-sm text-muted not-empty:py-6">
              {isFound ? null : nothing}
            </p>
            <Command.List className="max-h-[50vh] overflow-y-auto p-1">
              {shown.map((group) => (
                <PaletteSection key={group.name} group={group} onClose={onClose} />
              ))}
            </Command.List>
          </Command>
        </AriaDialog>
      </Modal>
    </ClosableOverlay>
  );
}

/** Those that the search names come before those that it only describes. */
function findIn({ commands, most }: PaletteGroup, search: string): readonly PaletteCommand[] {
  const words = fold(search).split(/\s+/);
  const has = (text: string) => {
    const folded = fold(text);
    return words.every((word) => folded.includes(word));
  };
  const named = commands.filter(({ label }) => has(label));
  const described = commands.filter(({ label, hint = "" }) => !has(label) && has(`${label} ${hint}`));
  return [...named, ...described].slice(0, most);
}

function PaletteSection({ group, onClose }: { group: PaletteGroup; onClose: () => void }) {
  if (group.commands.length === 0) return null;
  return (
    <Command.Group
      heading={group.name}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {group.commands.map((command) => (
        <Command.Item
          key={command.id}
          value={command.id}
          onSelect={() => {
            // Before the command: it may open another dialog in its place.
            onClose();
            command.onRun();
          }}
          className="flex h-8 cursor-default items-center gap-2 rounded-sm px-2 text-sm touch-row data-[selected=true]:bg-default [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
        >
          {command.icon}
          <span className="min-w-0 truncate">{command.label}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted">{command.hint}</span>
          {command.shortcut ? <Kbd>{command.shortcut}</Kbd> : null}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
