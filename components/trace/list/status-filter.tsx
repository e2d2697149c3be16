"use client";
import { ChevronDown } from "lucide-react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { STATE_LOOK, StateRing } from "@/components/ui/states/state-ring";
import { Count } from "@/components/ui/tag";
import { RunStatus } from "@/lib/schema/runs/run";

export interface StatusFilterProps {
  selected: readonly RunStatus[];
  onChange: (selected: RunStatus[]) => void;
}

/** Any number of states; none means all. */
export function StatusFilter({ selected, onChange }: StatusFilterProps) {
  const only = selected.length === 1 ? selected[0] : undefined;
  return (
    <MenuTrigger>
      <AriaButton className="flex h-7 items-center gap-1.5 rounded-md px-2 text-sm touch-row hover:bg-default aria-expanded:bg-default">
        {only ? <StateRing status={only} size={13} /> : null}
        {only ? STATE_LOOK[only].word : "Any state"}
        {selected.length > 1 ? <Count>{selected.length}</Count> : null}
        <ChevronDown className="size-3.5 text-subtle" aria-hidden />
      </AriaButton>
      <Popover offset={4} className="overlay-motion min-w-44 rounded-lg bg-overlay p-1 shadow-overlay">
        <Menu
          aria-label="States"
          selectionMode="multiple"
          selectedKeys={selected}
          onSelectionChange={(keys) =>
            onChange(keys === "all" ? [] : RunStatus.options.filter((status) => keys.has(status)))
          }
          className="outline-none"
        >
          {RunStatus.options.map((status) => (
            <MenuItem
              key={status}
              id={status}
              textValue={STATE_LOOK[status].word}
              className="flex h-7 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none touch-row data-[focused]:bg-default data-[selected]:font-medium"
            >
              {({ isSelected }) => (
                <>
                  <span
                    aria-hidden="true"
                    className={`flex size-3.5 items-center justify-center rounded-xs border text-2xs leading-none ${isSelected ? "border-accent bg-accent text-accent-foreground" : "border-border-strong"}`}
                  >
                    {isSelected ? "✓" : ""}
                  </span>
                  <StateRing status={status} size={13} />
                  {STATE_LOOK[status].word}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
