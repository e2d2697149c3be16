import { StateRing } from "@/components/ui/states/state-ring";
import type { Todo } from "@/lib/schema/runs/todo";

const STATUS = { done: "completed", in_progress: "running", pending: "queued" } as const;
const WORD: Record<Todo["status"], string> = { done: "Done", in_progress: "In progress", pending: "To do" };

/** The status of a todo. One in progress is animated only while a run is working on it. */
export function TodoRing({ status, isStill }: Pick<Todo, "status"> & { isStill: boolean }) {
  return <StateRing status={STATUS[status]} size={13} labelled word={WORD[status]} isStill={isStill} />;
}
