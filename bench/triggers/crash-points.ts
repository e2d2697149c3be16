/** The places at which a process is killed: after the last thing it did, or at any moment of its first seconds. */
export const CRASH_POINTS = ["sent", "claimed", "ended", "begun", "started", "queued", "any"] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];
