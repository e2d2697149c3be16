import type { NoticeData } from "@/lib/schema/messages/ui-message";
import type { FailureCause } from "@/lib/schema/runs/run";

/** What a person can do about a failed run besides repeating its request. */
export interface FailureRemedy {
  /** Repeating the same request can't succeed before something else is changed. */
  readonly isRetryUseless: boolean;
  /** For everybody, or only for administrators. */
  readonly link: { readonly label: string; readonly href: string; readonly isForAdmins: boolean } | null;
}

const NONE: FailureRemedy = { isRetryUseless: false, link: null };

const LABELS: Readonly<Record<FailureCause["kind"], string>> = {
  key_refused: "Check its key",
  access_refused: "Check its key",
  unknown_model: "Check its models",
  too_long: "Start a new thread",
  too_large: "Start a new thread",
};

export function remedyOf({ kind, error }: NoticeData): FailureRemedy {
  const cause = error?.cause;
  if (kind !== "failed" || cause === undefined) return NONE;
  const isOfThread = cause.kind === "too_long" || cause.kind === "too_large";
  const href = isOfThread ? "/" : `/admin/models?provider=${encodeURIComponent(cause.provider)}`;
  return { isRetryUseless: true, link: { label: LABELS[cause.kind], href, isForAdmins: !isOfThread } };
}
