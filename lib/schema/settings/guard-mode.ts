/** The handling of a message that reads like an attempt to instruct the model. */
export const GUARD_MODES = ["off", "log", "warn", "block"] as const;
export type GuardMode = (typeof GUARD_MODES)[number];
