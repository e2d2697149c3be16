import { announceToUser } from "@/lib/server/engine/log/signals";

/** Makes the owner's open pages reload the board. */
export function announceBoard({ id: boardId, ownerId }: { readonly id: string; readonly ownerId: string }): void {
  announceToUser(ownerId, { type: "board.changed", boardId });
}
