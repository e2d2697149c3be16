import { LinkButton } from "@/components/ui/controls/button";
import { EmptyState } from "./state-block";

export interface NotFoundStateProps {
  /** "trace" */
  what: string;
  /** The list of existing ones. */
  listHref: string;
  /** Why it may be missing. */
  children: string;
}

/** A missing item of a list, with a link to the list. */
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
