"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { FormError, FormNotice } from "@/components/ui/form/form-notices";
import { Kbd } from "@/components/ui/kbd";
import { useFirstProblem } from "@/lib/client/forms/use-first-problem";
import type { SentForm } from "@/lib/client/forms/use-form";
import { useCurrentInView } from "@/lib/client/ui/use-current-in-view";
import { SECTION_GROUPS, type SettingsSection } from "./sections";

export interface SettingsFrameProps {
  section: SettingsSection;
  /** Absent on pages where nothing is saved. */
  form?: SentForm | undefined;
  /** Buttons in the head of a page where nothing is saved. */
  actions?: ReactNode;
  /** Shown at the foot. */
  note?: ReactNode;
  children: ReactNode;
}

/** The head with Save, the list of sections, and one of them. */
export function SettingsFrame({ section, form, actions, note, children }: SettingsFrameProps) {
  const changes = form?.changes ?? 0;
  return (
    <Page>
      <PageHead
        title="Settings"
        facts={
          <span className="flex min-w-0 items-center gap-4 text-sm text-muted">
            <span className="truncate max-sm:hidden">{section.word}</span>
            {changes > 0 ? (
              <span role="status" className="shrink-0 text-xs font-medium text-foreground">
                {changes === 1 ? "1 change" : `${changes} changes`}
              </span>
            ) : null}
          </span>
        }
        actions={
          form ? (
            <span className="flex shrink-0 gap-1.5">
              {changes > 0 ? (
                <Button variant="ghost" onPress={form.discard}>
                  Discard
                </Button>
              ) : null}
              <Button variant="primary" isDisabled={changes === 0} isPending={form.isPending} onPress={form.submit}>
                Save{" "}
                <span className="max-md:hidden" aria-hidden>
                  <Kbd>Ctrl S</Kbd>
                </span>
              </Button>
            </span>
          ) : (
            actions
          )
        }
      />
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <SectionList current={section} />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {form ? <FormBody form={form}>{children}</FormBody> : <div className={BODY}>{children}</div>}
          {note ? (
            <footer className="flex min-h-7 shrink-0 items-center border-t border-border bg-background px-4 py-1 text-xs text-muted">
              {note}
            </footer>
          ) : null}
        </div>
      </div>
    </Page>
  );
}

const BODY = "min-h-0 flex-1 overflow-auto";

/** No form element: a page of the settings has forms of its own. */
function FormBody({ form, children }: { form: SentForm; children: ReactNode }) {
  const element = useFirstProblem<HTMLDivElement>(form);
  return (
    <div ref={element} className={BODY}>
      <div className="max-w-[640px] px-5 pt-4 empty:hidden max-sm:px-4">
        <FormError form={form} />
        <FormNotice form={form} />
      </div>
      {children}
    </div>
  );
}

function SectionList({ current }: { current: SettingsSection }) {
  const row = useCurrentInView<HTMLElement>(`/admin/settings/${current.id}`);
  return (
    <nav
      ref={row}
      aria-label="Sections of the settings"
      className="w-[196px] shrink-0 overflow-y-auto border-r border-border bg-background px-2 py-2 max-md:flex max-md:w-auto max-md:gap-1 max-md:overflow-x-auto max-md:border-r-0 max-md:border-b max-md:py-1"
    >
      {SECTION_GROUPS.map(({ name, rows }) => (
        <section key={name} className="mb-3 max-md:contents">
          <h2 className="flex h-7 items-center px-2 text-xs text-muted max-md:hidden">{name}</h2>
          {rows.map(({ id, word }) => (
            <Link
              key={id}
              href={`/admin/settings/${id}`}
              aria-current={id === current.id ? "page" : undefined}
              className="flex h-8 shrink-0 items-center rounded-md px-2 text-sm whitespace-nowrap text-muted touch-row hover:bg-default aria-[current=page]:bg-surface-tertiary aria-[current=page]:font-medium aria-[current=page]:text-foreground"
            >
              {word}
            </Link>
          ))}
        </section>
      ))}
    </nav>
  );
}
