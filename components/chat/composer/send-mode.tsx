"use client";
import { useEffect, useEffectEvent } from "react";
import { Segments } from "@/components/ui/controls/segments";
import type { SendMode as Mode } from "@/lib/schema/threads/queue";

export interface SendModeProps {
  mode: Mode;
  onMode: (mode: Mode) => void;
}

const OPTIONS = [
  { id: "queue", name: "Queue" },
  { id: "steer", name: "Steer" },
] as const;

/**
 * Whether what is sent during a run waits for its end, or is read at its next model call. Ctrl or ⌘ with Shift S
 * switches.
 */
export function SendMode({ mode, onMode }: SendModeProps) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isSwitch = (event.metaKey || event.ctrlKey) && event.shiftKey && event.key.toLowerCase() === "s";
    if (!isSwitch || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    onMode(mode === "steer" ? "queue" : "steer");
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <span title="Ctrl or ⌘ Shift S" className="ml-2 max-sm:ml-0">
      <Segments
        label="When it is read"
        options={OPTIONS}
        value={mode}
        onChange={(id) => onMode(id === "steer" ? "steer" : "queue")}
      />
    </span>
  );
}
