"use client";
import { Diff } from "@/components/ui/code/diff";
import { Button } from "@/components/ui/controls/button";
import { Notice } from "@/components/ui/states/notice";
import { diffRows } from "@/lib/client/files/diff-rows";
import type { MemoryConflict } from "@/lib/client/memory/use-memory-edit";

/** A version saved during the edit: how it differs from the edited text, and a choice between the two. */
export function MemoryConflictView({ conflict, path }: { conflict: MemoryConflict; path: string }) {
  const { theirs, mine, merged, merge, keepMine, takeTheirs } = conflict;
  const { author, name } = theirs.updatedBy;
  const who = author === "agent" ? "A run" : (name ?? "Another person");
  return (
    <div className="shrink-0 border-b border-border p-3">
      <Notice
        status="interrupted"
        title={`${who} wrote v${theirs.version} while you were typing`}
        actions={
          <>
            <Button onPress={takeTheirs}>Take v{theirs.version}</Button>
            <Button onPress={keepMine}>Keep mine</Button>
            {merged === null ? null : (
              <Button variant="primary" onPress={merge}>
                Merge
              </Button>
            )}
          </>
        }
      >
        {merged === null
          ? `Both texts change the same lines, so choose one. v${theirs.version} stays in the history; your text stays here until you choose.`
          : "The two change different lines, so Merge keeps both."}
      </Notice>
      <Diff
        rows={diffRows(theirs.content, mine)}
        path={path}
        className="mt-2 max-h-56 rounded-md border border-border"
      />
    </div>
  );
}
