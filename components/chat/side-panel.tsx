"use client";
import type { ReactNode } from "react";
import { TodoRing, type TodoWork } from "@/components/chat/transcript/todo-ring";
import { Bar, Section } from "@/components/ui/section";
import type { Todo } from "@/lib/schema/runs/todo";

export interface SidePanelProps {
  todos: readonly Todo[];
  work: TodoWork;
  /** The files section, which loads itself. */
  files: ReactNode;
  /** The line of the window and its cost, which opens into everything about them. */
  context?: ReactNode;
}

/** What one looks at while a run works: its plan, if there is one, its files, and one line about its cost. */
export function SidePanel({ todos, work, files, context }: SidePanelProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {todos.length === 0 ? null : <PlanSection todos={todos} work={work} />}
      {files}
      {context}
    </div>
  );
}

export function countDone(todos: readonly Todo[]): number {
  return todos.filter((todo) => todo.status === "done").length;
}

function PlanSection({ todos, work }: Pick<SidePanelProps, "todos" | "work">) {
  const done = countDone(todos);
  return (
    <Section title="Plan" extra={<span>{`${done} of ${todos.length}`}</span>}>
      <Bar percent={(done / todos.length) * 100} className="bg-ok" />
      <ol className="mt-2 space-y-px">
        {todos.map((todo) => (
          <TodoRow key={todo.id} todo={todo} work={work} />
        ))}
      </ol>
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
