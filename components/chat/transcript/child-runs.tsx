"use client";
import { type ReactNode, useState } from "react";
import { ChildRunProvider, type OpenChildRun } from "./child-run-context";
import { SubagentDialog } from "./subagent-dialog";

/** Around a transcript: its subagent cards open into a dialog, and those in the dialog in its place. */
export function ChildRuns({ children }: { children: ReactNode }) {
  const [child, setChild] = useState<OpenChildRun | null>(null);
  return (
    <ChildRunProvider value={setChild}>
      {children}
      {child === null ? null : <SubagentDialog key={child.runId} {...child} onClose={() => setChild(null)} />}
    </ChildRunProvider>
  );
}
