import { StateRing } from "@/components/ui/states/state-ring";
import type { Todo } from "@/lib/schema/runs/todo";

const STATUS = { done: "completed", in_progress: "running", pending: "queued", stopped: "cancelled" } as const;
const WORD = { done: "Done", in_progress: "In progress", pending: "To do", stopped: "Stopped" } as const;

/** Whether the run of a list of todos is running, waits for a person, or has ended. */
export type TodoWork = "running" | "waiting" | "ended";

/** A todo's progress. One in progress is animated only while its run is running, and stopped once that has ended. */
export function TodoRing({ status, work }: Pick<Todo, "status"> & { work: TodoWork }) {
  const shown = status === "in_progress" && work === "ended" ? "stopped" : status;
  return <StateRing status={STATUS[shown]} size={13} labelled word={WORD[shown]} isStill={work !== "running"} />;
}
