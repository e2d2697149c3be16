import type { TraceRecorder } from "@/lib/agent/run-context";

/**
 * A recorder whose spans are children of `parentId` by default, for work that is no step of the run: its calls are of
 * step 0. Its messages are not part of the thread, so all of them are stored.
 */
export function belowSpan(trace: TraceRecorder, parentId: string): TraceRecorder {
  return {
    startSpan: ({ call, ...span }) =>
      trace.startSpan({ parentId, ...span, ...(call ? { call: { ...call, step: 0 } } : {}) }),
    recordEvent: (name, attributes, parent = parentId) => trace.recordEvent(name, attributes, parent),
    keepStep: () => undefined,
    keepText: (text) => trace.keepText(text),
    keepMessage: (message) => trace.keepMessage(message, false),
    rowPosition: (message) => trace.rowPosition(message),
  };
}
