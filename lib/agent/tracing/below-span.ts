import type { TraceRecorder } from "@/lib/agent/run-context";

/**
 * A recorder whose spans are children of `parentId` by default. Its messages are not part of the thread, so all of them
 * are stored.
 */
export function belowSpan(trace: TraceRecorder, parentId: string): TraceRecorder {
  return {
    startSpan: (span) => trace.startSpan({ parentId, ...span }),
    recordEvent: (name, attributes, parent = parentId) => trace.recordEvent(name, attributes, parent),
    keepText: (text) => trace.keepText(text),
    keepMessage: (message) => trace.keepMessage(message, false),
    rowPosition: (message) => trace.rowPosition(message),
  };
}
