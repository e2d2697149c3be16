/** What one check of the installation found. */
export interface Finding {
  /** `skipped`: there is nothing to check, or not here. */
  readonly state: "ok" | "warning" | "broken" | "skipped";
  /** One sentence, with what was found. */
  readonly detail: string;
  /** What to do: a command, or a sentence. */
  readonly fix?: string;
}

/** A check as `doctor --json` prints it. */
export interface CheckReport extends Finding {
  readonly id: string;
  readonly title: string;
}

export interface DoctorReport {
  readonly version: string;
  /** Nothing is broken; there may be warnings. */
  readonly ok: boolean;
  readonly checks: readonly CheckReport[];
}

export const ok = (detail: string): Finding => ({ state: "ok", detail });
export const skipped = (detail: string): Finding => ({ state: "skipped", detail });
export const warning = (detail: string, fix: string): Finding => ({ state: "warning", detail, fix });
export const broken = (detail: string, fix: string): Finding => ({ state: "broken", detail, fix });
