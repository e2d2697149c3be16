import { announceToUser } from "@/lib/server/engine/log/signals";

/** The pages of its owner read it again. */
export function announceBoard({ id: boardId, ownerId }: { readonly id: string; readonly ownerId: string }): void {
  announceToUser(ownerId, { type: "board.changed", boardId });
}
