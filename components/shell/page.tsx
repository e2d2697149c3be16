import type { ReactNode, Ref } from "react";

export interface PageProps {
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** The main region of a page beside the navigation: a head and what fills the rest, in a column. */
export function Page({ ref, children }: PageProps) {
  return (
    <main ref={ref} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {children}
    </main>
  );
}
