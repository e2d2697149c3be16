import type { PageKey } from "@/components/shell/keys-dialog";

export const CHAT_KEYS: readonly PageKey[] = [
  { keys: "Enter", does: "Send, or queue during a run" },
  { keys: "Shift Enter", does: "New line" },
  { keys: "Esc", does: "Stop the run" },
  { keys: "y", does: "Allow the first request once" },
  { keys: "n", does: "Deny it, with a reason" },
  { keys: "/", does: "Search threads" },
];
