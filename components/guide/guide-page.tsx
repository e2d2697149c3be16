"use client";
import Link from "next/link";
import { type ReactNode, useMemo } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { DocumentContext } from "@/components/ui/markdown/document-context";
import { Markdown } from "@/components/ui/markdown/markdown";
import { anchorOf, guideHref } from "@/lib/client/guide/guide-links";
import { classNames } from "@/lib/client/ui/class-names";

interface Entry {
  readonly path: string;
  readonly title: string;
}

export interface GuidePageProps {
  sections: readonly { readonly title: string; readonly pages: readonly Entry[] }[];
  /** Null: the list of pages. */
  shown: { readonly path: string; readonly file: string; readonly title: string; readonly text: string } | null;
}

/** The guide as this installation has it; on a phone, the list or one page. */
export function GuidePage({ sections, shown }: GuidePageProps) {
  return (
    <Page>
      <PageHead
        lead={shown === null ? undefined : <BackToList />}
        title={shown?.title ?? "Guide"}
        facts={shown === null ? null : <span className="ml-2 text-xs text-muted max-md:hidden">Guide</span>}
      />
      <div className="flex min-h-0 flex-1">
        <nav
          aria-label="Pages of the guide"
          className={classNames(
            "w-[248px] shrink-0 overflow-y-auto border-r border-border bg-background p-2 max-md:w-full max-md:border-r-0",
            shown !== null && "max-md:hidden",
          )}
        >
          {sections.map(({ title, pages }) => (
            <section key={title} aria-label={title} className="mb-3">
              <h2 className="flex h-7 items-center px-2 text-xs text-muted">{title}</h2>
              {pages.map((page) => (
                <Link
                  key={page.path}
                  href={`/guide/${page.path}`}
                  aria-current={page.path === shown?.path ? "page" : undefined}
                  className="flex min-h-8 items-center rounded-md px-2 text-sm text-muted touch-row hover:bg-default aria-[current=page]:bg-surface-tertiary aria-[current=page]:font-medium aria-[current=page]:text-foreground"
                >
                  {page.title}
                </Link>
              ))}
            </section>
          ))}
        </nav>
        <section
          aria-label={shown?.title ?? "Guide"}
          className={classNames(
            "min-h-0 min-w-0 flex-1 overflow-y-auto -outline-offset-2",
            shown === null && "max-md:hidden",
          )}
          {...{ tabIndex: 0 }}
        >
          <article className="mx-auto max-w-[776px] px-6 py-5 max-sm:px-4">
            {shown === null ? (
              <p className="text-muted">Each page is one task. Choose one on the left.</p>
            ) : (
              <GuideText file={shown.file}>
                <Markdown text={shown.text} />
              </GuideText>
            )}
          </article>
        </section>
      </div>
    </Page>
  );
}

function GuideText({ file, children }: { file: string; children: ReactNode }) {
  const place = useMemo(() => ({ hrefOf: (target: string) => guideHref(file, target), anchorOf }), [file]);
  return <DocumentContext value={place}>{children}</DocumentContext>;
}

function BackToList() {
  return (
    <Link href="/guide" className="text-sm text-muted hover:text-foreground md:hidden">
      Guide
    </Link>
  );
}
