import type { NoticeData } from "@/lib/schema/messages/ui-message";

/** What a person can do about a failed run besides repeating its request. */
export interface FailureRemedy {
  /** Repeating the same request can't succeed before something else is changed. */
  readonly isRetryUseless: boolean;
  /** For everybody, or only for administrators. */
  readonly link: { readonly label: string; readonly href: string; readonly isForAdmins: boolean } | null;
}

const NONE: FailureRemedy = { isRetryUseless: false, link: null };

/** How `lib/models/failures` words what a request can't get past: its beginning, and what follows the name. */
const CAUSES: readonly {
  readonly begins: string;
  readonly goesOn: string;
  readonly label: string;
  readonly to: "provider" | "new thread";
}[] = [
  { begins: "The provider ", goesOn: " refused the API key (401)", label: "Check its key", to: "provider" },
  { begins: "The provider ", goesOn: " refused access to ", label: "Check its key", to: "provider" },
  { begins: "The provider ", goesOn: " does not know the model ", label: "Check its models", to: "provider" },
  { begins: "The conversation is too long for ", goesOn: "", label: "Start a new thread", to: "new thread" },
  { begins: "The request is too large for ", goesOn: "", label: "Start a new thread", to: "new thread" },
];

export function remedyOf({ kind, error, text }: NoticeData): FailureRemedy {
  if (kind !== "failed") return NONE;
  const message = error?.message ?? text;
  for (const { begins, goesOn, label, to } of CAUSES) {
    const named = nameAfter(message, begins);
    if (named === null || !named.rest.startsWith(goesOn)) continue;
    const provider = `/admin/models?provider=${encodeURIComponent(named.name)}`;
    const link = { label, href: to === "provider" ? provider : "/", isForAdmins: to === "provider" };
    return { isRetryUseless: true, link };
  }
  return NONE;
}

/** The word after these words, and what follows it. */
function nameAfter(message: string, words: string): { readonly name: string; readonly rest: string } | null {
  const at = message.indexOf(words);
  if (at === -1) return null;
  const after = message.slice(at + words.length);
  const end = after.indexOf(" ");
  return end === -1 ? { name: after, rest: "" } : { name: after.slice(0, end), rest: after.slice(end) };
}
