import { LinkButton } from "@/components/ui/controls/button";
import { EmptyState } from "./state-block";

export interface NotFoundStateProps {
  /** "trace" */
  what: string;
  /** Where those that exist are listed. */
  listHref: string;
  /** Why it may be missing. */
  children: string;
}

/** One thing of a list that is not there, with the way to the list. */
export function NotFoundState({ what, listHref, children }: NotFoundStateProps) {
  return (
    <EmptyState
      title={`${what.charAt(0).toUpperCase()}${what.slice(1)} not found`}
      actions={
        <LinkButton href={listHref} variant="primary">
          All {what}s
        </LinkButton>
      }
    >
      {children}
    </EmptyState>
  );
}
