"use client";
import { ExternalLink } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { TodoRing, type TodoWork } from "@/components/chat/transcript/todo-ring";
import { Bar, FactGrid, Section } from "@/components/ui/section";
import { TokenCount } from "@/components/ui/token-count";
import { formatCost } from "@/lib/client/ui/text/format";
import type { Todo } from "@/lib/schema/runs/todo";
import type { ThreadDetail } from "@/lib/schema/threads/thread";

export interface SidePanelProps {
  todos: readonly Todo[];
  work: TodoWork;
  usage: ThreadDetail["usage"];
  latestTraceId: string | null;
  /** The run's budgets, which load themselves. */
  budgets: ReactNode;
  /** The files section, which loads itself. */
  files: ReactNode;
  /** Versions of the last message that has any. */
  versions?: ReactNode;
  /** The window's fill. */
  context?: ReactNode;
}

export function SidePanel({ todos, work, usage, latestTraceId, budgets, files, versions, context }: SidePanelProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {versions}
      <TodoSection todos={todos} work={work} />
      {files}
      {context}
      {budgets}
      <UsageSection usage={usage} latestTraceId={latestTraceId} />
    </div>
  );
}

export function countDone(todos: readonly Todo[]): number {
  return todos.filter((todo) => todo.status === "done").length;
}

function TodoSection({ todos, work }: Pick<SidePanelProps, "todos" | "work">) {
  const done = countDone(todos);
  return (
    <Section title="Todos" extra={todos.length > 0 ? <span>{`${done} of ${todos.length}`}</span> : null}>
      {todos.length === 0 ? (
        <p className="text-xs text-muted">The agent writes its plan here when the work has several steps.</p>
      ) : (
        <>
          <Bar percent={(done / todos.length) * 100} className="bg-ok" />
          <ol className="mt-2 space-y-px">
            {todos.map((todo) => (
              <TodoRow key={todo.id} todo={todo} work={work} />
            ))}
          </ol>
        </>
      )}
    </Section>
  );
}

const TODO_LOOK: Record<Todo["status"], string> = { done: "text-muted", in_progress: "font-medium", pending: "" };

function TodoRow({ todo, work }: { todo: Todo; work: TodoWork }) {
  return (
    <li className="flex min-h-[26px] items-start gap-2 py-[3px]">
      <span className="flex h-5 items-center">
        <TodoRing status={todo.status} work={work} />
      </span>
      <span className={`min-w-0 break-words ${TODO_LOOK[todo.status]}`}>{todo.title}</span>
    </li>
  );
}

function UsageSection({ usage, latestTraceId }: Pick<SidePanelProps, "usage" | "latestTraceId">) {
  return (
    <Section
      title="Usage"
      extra={
        latestTraceId === null ? null : (
          <Link
            href={`/traces/${latestTraceId}`}
            prefetch={false}
            className="flex items-center gap-1 text-link hover:underline"
          >
            Open trace <ExternalLink className="size-3" aria-hidden />
          </Link>
        )
      }
    >
      <FactGrid
        facts={[
          ["Cost", formatCost(usage.costUsd)],
          ["Tokens", <TokenCount key="totalTokens" tokens={usage.totalTokens} usage={usage} />],
          ["Input", <TokenCount key="inputTokens" tokens={usage.inputTokens} usage={usage} />],
          ["Cached", <TokenCount key="cachedReadTokens" tokens={usage.cachedReadTokens} usage={usage} />],
          ["Output", <TokenCount key="outputTokens" tokens={usage.outputTokens} usage={usage} />],
          ["Reasoning", <TokenCount key="reasoningTokens" tokens={usage.reasoningTokens} usage={usage} />],
        ]}
      />
    </Section>
  );
}
