import type { TraceRecorder } from "./run-context";

/**
 * A recorder whose spans hang below `parentId` unless they say otherwise. What is asked there is no part of the thread:
 * every message is kept.
 */
export function belowSpan(trace: TraceRecorder, parentId: string): TraceRecorder {
  return {
    startSpan: (span) => trace.startSpan({ parentId, ...span }),
    recordEvent: (name, attributes, parent = parentId) => trace.recordEvent(name, attributes, parent),
    keepText: (text) => trace.keepText(text),
    keepMessage: (message) => trace.keepMessage(message, false),
  };
}
