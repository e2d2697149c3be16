"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import type { ChannelLink } from "@/lib/schema/channels/channel-link";
import { CHANNELS_KEY, restoreChat, unlinkChat } from "./channel-queries";

/** Said before and after a chat is unlinked. */
export const UNLINK_MEANS = "The thread stays. Messages from this chat no longer start anything.";

/** Unlinks a chat; Undo on the toast links it again with its thread. */
export function useUnlink(): (link: ChannelLink) => void {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: CHANNELS_KEY });
  const onError = (error: unknown) => showToast({ title: errorMessage(error), tone: "error" });
  const restore = useMutation({ mutationFn: restoreChat, onError, onSettled: refresh });
  const unlink = useMutation({
    mutationFn: ({ id }: ChannelLink) => unlinkChat(id),
    onSuccess: (_, { id, chatName }) =>
      showToast({
        title: `Unlinked ${chatName}`,
        description: UNLINK_MEANS,
        onUndo: () => restore.mutate(id),
      }),
    onError,
    onSettled: refresh,
  });
  return unlink.mutate;
}
