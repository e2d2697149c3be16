"use client";
import { type ReactNode, useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import type { FieldConflict } from "@/lib/client/agents/config-text/merge-drafts";
import { valueText } from "@/lib/client/agents/draft/change-labels";
import type { DraftConflict } from "@/lib/client/agents/draft/draft-saver";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { fieldLabel } from "@/lib/client/agents/form/field-labels";
import { diffRows } from "@/lib/client/files/diff-rows";

export interface EditorStripsProps {
  editor: AgentEditor;
  /** Merges the newer live version into the draft. */
  onCatchUp: () => void;
  isCatchingUp: boolean;
}

/** Below the tabs: another person's changes to the same draft, and what the server refused. */
export function EditorStrips({ editor, onCatchUp, isCatchingUp }: EditorStripsProps) {
  const { agent, state } = editor;
  const { conflict, stored, joined } = state;
  return (
    <>
      <ConflictStrips editor={editor} />
      {conflict === null && stored.isBehind && stored.revision > 0 ? (
        <Strip
          tone="limit"
          actions={
            <Button onPress={onCatchUp} isPending={isCatchingUp}>
              Join v{agent.version} into the draft
            </Button>
          }
        >
          v{agent.version} was published after this draft was begun from v{stored.baseVersion}.
        </Strip>
      ) : null}
      {conflict === null && joined !== null ? (
        <Strip tone="plain">
          {joined.name ?? "Another administrator"} also saved changes, now included:{" "}
          {joined.paths.map(fieldLabel).join(", ")}.
        </Strip>
      ) : null}
    </>
  );
}

/** Changes of others that conflict with mine, and a text that could not be saved. */
export function ConflictStrips({ editor }: { editor: AgentEditor }) {
  const { conflict, save } = editor.state;
  return (
    <>
      {conflict === null ? null : <ConflictStrip conflict={conflict} editor={editor} />}
      {save.kind === "failed" ? (
        <Strip tone="limit" actions={<Button onPress={editor.saver.saveNow}>Save now</Button>}>
          {save.message} Your text is safe in this browser.
        </Strip>
      ) : null}
    </>
  );
}

function Strip({ tone, actions, children }: { tone: "limit" | "plain"; actions?: ReactNode; children: ReactNode }) {
  return (
    <div
      role="status"
      className={`flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-5 py-1 text-sm ${tone === "limit" ? "bg-limit-soft" : "bg-background text-muted"}`}
    >
      <p className="min-w-0 flex-1 break-words">{children}</p>
      {actions ? <span className="flex shrink-0 gap-1">{actions}</span> : null}
    </div>
  );
}

function ConflictStrip({ conflict, editor }: { conflict: DraftConflict; editor: AgentEditor }) {
  const [isOpen, setOpen] = useState(false);
  const { saver } = editor;
  const { theirs, fields } = conflict;
  const name = theirs.updatedByName ?? "Another administrator";
  return (
    <>
      <Strip
        tone="limit"
        actions={
          <>
            <Button onPress={() => saver.resolve("theirs")}>Take theirs</Button>
            <Button onPress={() => saver.resolve("mine")}>Keep mine</Button>
            <Button variant="ghost" onPress={() => setOpen(true)}>
              Show both
            </Button>
          </>
        }
      >
        {name} saved {theirs.revision === 0 ? "another text" : `r${theirs.revision}`} while you were typing.{" "}
        {fields === null ? "The texts can't be joined, because one of them is not valid YAML." : differText(fields)}
      </Strip>
      <Dialog title="Yours and theirs" isOpen={isOpen} onClose={() => setOpen(false)} size="lg">
        {fields === null ? (
          <div className="overflow-hidden rounded-md border border-border">
            <Diff path="draft.yaml" rows={isOpen ? diffRows(theirs.yaml, editor.state.text) : []} />
          </div>
        ) : (
          <ul className="space-y-3">
            {fields.map((field) => (
              <BothValues
                key={field.path.join(".")}
                field={field}
                name={name}
                onChoose={(choice) => {
                  saver.resolveField(field.path, choice);
                  if (fields.length === 1) setOpen(false);
                }}
              />
            ))}
          </ul>
        )}
      </Dialog>
    </>
  );
}

function differText(fields: readonly FieldConflict[]): string {
  const words = fields.map(({ path, mine, theirs }) => {
    const values = [valueText(mine), valueText(theirs)];
    const isShort = values.every((value) => value.length <= 24);
    return isShort ? `${fieldLabel(path)}, ${values.join(" and ")}` : fieldLabel(path);
  });
  return `${fields.length === 1 ? "1 field differs" : `${fields.length} fields differ`}: ${words.join("; ")}.`;
}

interface BothValuesProps {
  field: FieldConflict;
  name: string;
  onChoose: (choice: "mine" | "theirs") => void;
}

function BothValues({ field, name, onChoose }: BothValuesProps) {
  const label = fieldLabel(field.path);
  return (
    <li className="overflow-hidden rounded-lg border border-border">
      <h3 className="border-b border-separator px-3 py-1.5 text-sm font-medium">{label}</h3>
      <div className="grid grid-cols-2 max-sm:grid-cols-1">
        <ValueSide title="Yours" value={field.mine}>
          <Button aria-label={`Keep mine: ${label}`} onPress={() => onChoose("mine")}>
            Keep mine
          </Button>
        </ValueSide>
        <ValueSide title={`From ${name}`} value={field.theirs}>
          <Button aria-label={`Take theirs: ${label}`} onPress={() => onChoose("theirs")}>
            Take theirs
          </Button>
        </ValueSide>
      </div>
    </li>
  );
}

function ValueSide({ title, value, children }: { title: string; value: unknown; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2 p-3 not-first:border-l not-first:border-separator max-sm:not-first:border-t max-sm:not-first:border-l-0">
      <p className="text-xs text-muted">{title}</p>
      <pre className="max-h-60 flex-1 overflow-auto font-mono text-xs break-words whitespace-pre-wrap">
        {valueText(value)}
      </pre>
      <span>{children}</span>
    </div>
  );
}
