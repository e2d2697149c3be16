"use client";
import { useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { Notice } from "@/components/ui/states/notice";
import { diffRows } from "@/lib/client/files/diff-rows";
import type { SkillFileEdit } from "@/lib/client/skills/use-skill-edit";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { SkillFileBody } from "./skill-file-body";

interface SkillEditorProps {
  edit: SkillFileEdit;
  path: string;
  /** The text of the current version. */
  current: string | null;
}

const SIDES = ["preview", "changes"] as const;

/** A file's text beside its preview, or beside its changes. */
export function SkillEditor({ edit, path, current }: SkillEditorProps) {
  const [side, setSide] = useState<(typeof SIDES)[number]>("preview");
  useShortcuts({ "mod+s": edit.save });
  const text = edit.text ?? "";
  const hasPreview = /\.(md|markdown)$/i.test(path) && edit.newerVersion === null;
  const shown = hasPreview ? side : "changes";
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <EditorNotices edit={edit} />
      <div className="flex min-h-0 flex-1 max-xl:flex-col">
        <textarea
          aria-label={`Text of ${path}`}
          aria-invalid={edit.problem !== null}
          aria-describedby={edit.problem === null ? undefined : "skill-problem"}
          spellCheck={false}
          dir="auto"
          value={text}
          onChange={(event) => edit.setText(event.target.value)}
          className="min-h-60 min-w-0 flex-1 resize-none bg-surface p-3 font-mono text-xs leading-5 -outline-offset-2 pointer-coarse:text-lg"
        />
        <section
          aria-label={shown === "preview" ? "Preview" : "Changes"}
          className="flex min-h-40 min-w-0 flex-1 flex-col border-l border-border max-xl:border-t max-xl:border-l-0"
        >
          {hasPreview ? (
            <div className="flex h-8 shrink-0 items-center gap-1 border-b border-separator px-2 pointer-coarse:h-12">
              {SIDES.map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={shown === name}
                  onClick={() => setSide(name)}
                  className="h-6 rounded-sm px-2 text-xs text-muted capitalize touch-row aria-pressed:bg-default aria-pressed:text-foreground"
                >
                  {name}
                </button>
              ))}
            </div>
          ) : null}
          <div className="min-h-0 flex-1 overflow-auto">
            {shown === "preview" ? (
              <SkillFileBody preview={{ kind: "markdown", text }} path={path} />
            ) : (
              <Changes before={current ?? ""} after={text} path={path} />
            )}
          </div>
        </section>
      </div>
    </div>
  );
}

function EditorNotices({ edit: { newerVersion, problem } }: { edit: SkillFileEdit }) {
  return (
    <>
      {newerVersion === null ? null : (
        <div className="border-b border-border p-3">
          <Notice status="interrupted" title={`v${newerVersion} was made while you were typing`}>
            The right side shows how your text differs from v{newerVersion}. Save keeps your text, Discard keeps v
            {newerVersion}.
          </Notice>
        </div>
      )}
      {problem === null ? null : (
        <p
          id="skill-problem"
          role="alert"
          className="border-b border-border bg-fail-soft px-4 py-2 text-sm text-fail-text"
        >
          {problem}
        </p>
      )}
    </>
  );
}

function Changes({ before, after, path }: { before: string; after: string; path: string }) {
  const rows = diffRows(before, after);
  if (rows.length === 0) return <p className="p-4 text-sm text-muted">No changes yet.</p>;
  return <Diff rows={rows} path={path} />;
}
