"use client";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { ToggleButtonGroup } from "react-aria-components/ToggleButtonGroup";
import { TRACE_LAYOUTS, type TraceLayout } from "@/lib/client/trace/use-trace-layout";

const LAYOUT_LABELS: Readonly<Record<TraceLayout, string>> = {
  tree: "Tree",
  waterfall: "Waterfall",
  read: "Read",
  state: "State",
};

export interface LayoutSwitchProps {
  layout: TraceLayout;
  onLayout: (layout: TraceLayout) => void;
}

/** How the trace is shown. */
export function LayoutSwitch({ layout, onLayout }: LayoutSwitchProps) {
  return (
    <ToggleButtonGroup
      aria-label="Layout"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[layout]}
      onSelectionChange={(keys) => onLayout(TRACE_LAYOUTS.find((one) => keys.has(one)) ?? layout)}
      className="flex shrink-0 rounded-md bg-default p-0.5"
    >
      {TRACE_LAYOUTS.map((id) => (
        <ToggleButton
          key={id}
          id={id}
          className="flex h-6 items-center rounded-sm px-2 text-xs text-muted touch-row data-[selected]:bg-segment data-[selected]:font-medium data-[selected]:text-foreground data-[selected]:shadow-[0_1px_2px_oklch(0.2_0.01_70/0.12)]"
        >
          {LAYOUT_LABELS[id]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
