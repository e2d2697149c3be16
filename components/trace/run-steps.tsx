"use client";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useShell } from "@/components/shell/shell-context";
import { IconButton } from "@/components/ui/controls/icon-button";
import { useNeighbours } from "@/lib/client/trace/list/list-order";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";

/** To the runs above and below in the list that was last open; absent where none was. */
export function RunSteps({ runId }: { runId: string }) {
  const { above, below } = useNeighbours(runId);
  const { go } = useShell();
  // The layout stays, the place in the run does not.
  const open = (id: string | null) => {
    if (id === null) return;
    const layout = new URLSearchParams(window.location.search).get("layout");
    go(`/traces/${encodeURIComponent(id)}${layout === null ? "" : `?layout=${layout}`}`);
  };
  useShortcuts({ "[": () => open(above), "]": () => open(below) });
  if (above === null && below === null) return null;
  return (
    <span className="flex max-sm:hidden">
      <IconButton label="Run above" shortcut="[" isDisabled={above === null} onPress={() => open(above)}>
        <ChevronUp />
      </IconButton>
      <IconButton label="Run below" shortcut="]" isDisabled={below === null} onPress={() => open(below)}>
        <ChevronDown />
      </IconButton>
    </span>
  );
}
