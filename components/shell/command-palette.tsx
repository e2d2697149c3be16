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
}

export interface CommandPaletteProps {
  groups: readonly PaletteGroup[];
  search: string;
  onSearch: (search: string) => void;
  isOpen: boolean;
  onClose: () => void;
}

/** Every page, agent, thread and action by name. */
export function CommandPalette({ groups, search, onSearch, isOpen, onClose }: CommandPaletteProps) {
  const [marked, setMarked] = useState("");
  const shown = groups.map((group) => ({
    ...group,
    commands: group.isSearched ? group.commands : group.commands.filter((command) => hasWords(command, search)),
  }));
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
            <Command.List className="max-h-[50vh] overflow-y-auto p-1">
              <Command.Empty className="px-3 py-6 text-center text-sm text-muted">
                No matches. Try fewer letters.
              </Command.Empty>
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

function hasWords({ label, hint = "" }: PaletteCommand, search: string): boolean {
  const text = fold(`${label} ${hint}`);
  return fold(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
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
