"use client";
import Link from "next/link";
import { type ReactNode, useMemo } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { DocumentContext } from "@/components/ui/markdown/document-context";
import { Markdown } from "@/components/ui/markdown/markdown";
import { anchorOf, guideHref } from "@/lib/client/guide/guide-links";

interface Entry {
  readonly path: string;
  readonly title: string;
}

export interface GuidePageProps {
  sections: readonly { readonly title: string; readonly pages: readonly Entry[] }[];
  /** `path` is "" for the contents. */
  shown: { readonly path: string; readonly file: string; readonly title: string; readonly text: string };
}

/** One page of the guide as this installation has it, or its contents; a wide page lists the others beside it. */
export function GuidePage({ sections, shown }: GuidePageProps) {
  const isContents = shown.path === "";
  return (
    <Page>
      <PageHead
        lead={isContents ? undefined : <BackToContents />}
        title={shown.title}
        facts={isContents ? null : <span className="ml-2 text-xs text-muted max-md:hidden">Guide</span>}
      />
      <div className="flex min-h-0 flex-1">
        <nav
          aria-label="Pages of the guide"
          className="w-[248px] shrink-0 overflow-y-auto border-r border-border bg-background p-2 max-md:hidden"
        >
          {sections.map(({ title, pages }) => (
            <section key={title} aria-label={title} className="mb-3">
              <h2 className="flex h-7 items-center px-2 text-xs text-muted">{title}</h2>
              {pages.map((page) => (
                <Link
                  key={page.path}
                  href={`/guide/${page.path}`}
                  aria-current={page.path === shown.path ? "page" : undefined}
                  className="flex min-h-8 items-center rounded-md px-2 text-sm text-muted touch-row hover:bg-default aria-[current=page]:bg-surface-tertiary aria-[current=page]:font-medium aria-[current=page]:text-foreground"
                >
                  {page.title}
                </Link>
              ))}
            </section>
          ))}
        </nav>
        <section
          aria-label={shown.title}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto -outline-offset-2"
          {...{ tabIndex: 0 }}
        >
          <article className="mx-auto max-w-[776px] px-6 py-5 max-sm:px-4">
            <GuideText file={shown.file}>
              <Markdown text={shown.text} />
            </GuideText>
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

function BackToContents() {
  return (
    <Link href="/guide" className="text-sm text-muted hover:text-foreground md:hidden">
      Guide
    </Link>
  );
}
