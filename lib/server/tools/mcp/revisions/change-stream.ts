import { isObject, type JsonObject } from "@/lib/server/tools/mcp/reading/read-message";
import type { WireRequests } from "./wire-requests";

const MAX_STREAMS = 5;

/** The stream on which a server of 2026-07-28 says that its tools changed. */
export interface ChangeStream {
  /** Opens it if the server has one and it is not open. */
  open(capabilities: unknown): void;
  /** The server has begun to say it. */
  acknowledged(): void;
}

/** `onMissed` is called when the stream ends: what changes from then on is not heard. */
export function createChangeStream({ ask }: Pick<WireRequests, "ask">, onMissed: () => void): ChangeStream {
  let opened = 0;
  let isOpen = false;
  let isHeard = false;
  const ended = () => {
    if (isHeard) onMissed();
    isOpen = false;
    isHeard = false;
  };
  return {
    open(capabilities) {
      if (isOpen || opened === MAX_STREAMS || !saysChanges(capabilities)) return;
      opened += 1;
      isOpen = true;
      ask("subscriptions/listen", { notifications: { toolsListChanged: true } }).then(ended, ended);
    },
    acknowledged() {
      isHeard = true;
    },
  };
}

function saysChanges(capabilities: unknown): boolean {
  const { tools }: JsonObject = isObject(capabilities) ? capabilities : {};
  return isObject(tools) && tools.listChanged === true;
}
