"use client";
import { Button } from "@/components/ui/controls/button";
import { StateRing } from "@/components/ui/states/state-ring";
import { asMessage, type Outgoing } from "@/lib/client/chat/thread-state";
import type { ThreadChat } from "@/lib/client/chat/use-thread-chat";
import { UserMessage } from "./user-message";

export interface UnsentMessagesProps {
  chat: Pick<ThreadChat, "unsent" | "retry" | "discard">;
  userName: string;
  /** Puts the text back into the field. */
  onEdit: (words: string) => void;
}

/** Messages that the server has not accepted: none is lost, and each can be sent again. */
export function UnsentMessages({ chat, userName, onEdit }: UnsentMessagesProps) {
  return chat.unsent.map((message) => (
    <div key={message.key} className="pb-5">
      <div className="[&_article]:pb-1.5">
        <UserMessage message={asMessage(message)} userName={userName} />
      </div>
      <div role="alert" className="flex flex-wrap items-center gap-x-2 gap-y-1 pl-9 text-sm">
        <p className="flex min-w-0 items-start gap-2">
          <span className="flex h-5 shrink-0 items-center">
            <StateRing status="failed" labelled />
          </span>
          <span className="min-w-0 break-words">Not sent. {message.problem}</span>
        </p>
        <span className="flex gap-1">
          {hasLostFiles(message) ? null : <Button onPress={() => chat.retry(message.key)}>Retry</Button>}
          <Button
            variant="ghost"
            onPress={() => {
              onEdit(message.text);
              chat.discard(message.key);
            }}
          >
            Edit
          </Button>
          <Button variant="ghost" onPress={() => chat.discard(message.key)}>
            Discard
          </Button>
        </span>
      </div>
    </div>
  ));
}

/** Its files were not in the workspace yet when the page was left: the text alone would be a different message. */
function hasLostFiles({ content, files }: Outgoing): boolean {
  return content === null && files.length === 0;
}
