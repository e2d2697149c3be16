import type { PageKey } from "@/components/shell/keys-dialog";

export const CHAT_KEYS: readonly PageKey[] = [
  { keys: "Enter", does: "Send, or queue during a run" },
  { keys: "⌘ Shift S", does: "Queue or steer during a run" },
  { keys: "Alt ↑ / ↓", does: "Move a queued message" },
  { keys: "Shift Enter", does: "New line" },
  { keys: "Esc", does: "Stop the run" },
  { keys: "c", does: "Write a message" },
  { keys: "j k", does: "Next and previous message" },
  { keys: "⌘F", does: "Find in the thread" },
  { keys: "y", does: "Allow the first request once" },
  { keys: "n", does: "Deny it, with a reason" },
  { keys: "Alt y", does: "Allow it while writing" },
  { keys: "Alt n", does: "Deny it while writing" },
  { keys: "e", does: "Edit your last message" },
  { keys: "r", does: "Retry the failed run, or regenerate the reply in focus or the last one" },
  { keys: "g", does: "Continue the run that ended unfinished" },
  { keys: "Shift ←", does: "Show the previous version" },
  { keys: "Shift →", does: "Show the next version" },
  { keys: "/", does: "Search threads" },
  { keys: "x", does: "Select the thread in focus, with Shift up to it" },
];
