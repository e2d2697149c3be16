/** Where a process is killed: what it has done last, or any moment of its first seconds. */
export const PLACES = ["sent", "claimed", "ended", "begun", "started", "queued", "any"] as const;
export type Place = (typeof PLACES)[number];
