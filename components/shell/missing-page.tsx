"use client";
import { Page } from "@/components/shell/page";
import { LinkButton } from "@/components/ui/controls/button";
import { EmptyState } from "@/components/ui/states/state-block";
import { PageHead } from "./page-head";

/** For a URL that leads nowhere, inside the shell. */
export function MissingPage() {
  return (
    <Page>
      <PageHead title="Not found" />
      <MissingText />
    </Page>
  );
}

export function MissingText() {
  return (
    <EmptyState
      title="Page not found"
      actions={
        <LinkButton href="/" variant="primary">
          Go to the start page
        </LinkButton>
      }
    >
      The address is wrong, the page is gone, or your role does not let you see it.
    </EmptyState>
  );
}
