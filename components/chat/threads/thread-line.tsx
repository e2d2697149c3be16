"use client";
import type { ReactNode } from "react";
import { countDone } from "@/components/chat/side-panel";
import { SideLine, type SidePanelState } from "@/components/chat/side-region";
import { formatCost, tokenText } from "@/lib/client/ui/text/format";
import type { Todo } from "@/lib/schema/runs/todo";
import type { ThreadDetail } from "@/lib/schema/threads/thread";

export interface ThreadLineProps {
  todos: readonly Todo[];
  usage: ThreadDetail["usage"];
  panel: SidePanelState;
  children: ReactNode;
}

/** The side panel in one line: the current activity, its progress, its cost so far. */
export function ThreadLine({ todos, usage, panel, children }: ThreadLineProps) {
  const current =
    todos.find((todo) => todo.status === "in_progress") ?? todos.find((todo) => todo.status === "pending");
  const title = current?.title ?? (todos.length > 0 ? "All todos done" : "Todos, files and usage");
  const cost = usage.costUsd === null ? "cost unknown" : formatCost(usage.costUsd);
  return (
    <SideLine
      title={title}
      fact={todos.length > 0 ? `${countDone(todos)} of ${todos.length}` : ""}
      summary={`${tokenText(usage)} · ${cost}`}
      panel={panel}
    >
      {children}
    </SideLine>
  );
}
