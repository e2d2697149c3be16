"use client";
import dynamic from "next/dynamic";
import { type ReactNode, useCallback, useState } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { ChildRunProvider, type OpenChildRun } from "./child-run-context";

/** Loaded with the first card that is opened. */
const SubagentDialog = dynamic(async () => (await loadWithRetry(() => import("./subagent-dialog"))).SubagentDialog, {
  loading: () => null,
});

const NONE: readonly OpenChildRun[] = [];

/**
 * Around a transcript: its subagent cards open in a dialog, and those in the dialog replace its content, with a way
 * back.
 */
export function ChildRuns({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(NONE);
  const open = useCallback((child: OpenChildRun) => setOpened((before) => [...before, child]), []);
  const child = opened.at(-1);
  const before = opened.at(-2);
  return (
    <ChildRunProvider value={open}>
      {children}
      {child === undefined ? null : (
        <SubagentDialog
          key={child.runId}
          {...child}
          back={before === undefined ? null : { title: before.title, go: () => setOpened(opened.slice(0, -1)) }}
          onClose={() => setOpened(NONE)}
        />
      )}
    </ChildRunProvider>
  );
}
