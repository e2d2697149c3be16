"use client";
import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components/Tabs";
import { classNames } from "@/lib/client/ui/class-names";

export interface TabItem {
  id: string;
  label: ReactNode;
  content: ReactNode;
  isDisabled?: boolean;
}

export interface TabsProps {
  label: string;
  items: readonly TabItem[];
  selected?: string;
  onSelect?: (id: string) => void;
  className?: string;
  panelClassName?: string;
}

/** Underlined tabs of 36 px over one panel that fills the rest. */
export function Tabs({ label, items, selected, onSelect, className, panelClassName }: TabsProps) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(key) => onSelect?.(String(key))}
      className={classNames("flex min-h-0 flex-col", className)}
    >
      <TabList
        aria-label={label}
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-border px-2 [scrollbar-width:none]"
      >
        {items.map((item) => (
          <Tab
            key={item.id}
            id={item.id}
            isDisabled={item.isDisabled}
            className="-mb-px flex h-9 shrink-0 cursor-default items-center gap-1.5 border-b-2 border-transparent px-2.5 text-sm text-muted outline-none touch-row hover:text-foreground data-[disabled]:opacity-50 data-[focus-visible]:bg-default data-[selected]:border-foreground data-[selected]:font-medium data-[selected]:text-foreground"
          >
            {item.label}
          </Tab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel
          key={item.id}
          id={item.id}
          className={classNames("min-h-0 flex-1 overflow-y-auto outline-none", panelClassName)}
        >
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
