"use client";
import { Diff } from "@/components/ui/code/diff";
import { Button } from "@/components/ui/controls/button";
import { Notice } from "@/components/ui/states/notice";
import { diffRows } from "@/lib/client/files/diff-rows";
import type { MemoryConflict } from "@/lib/client/memory/use-memory-edit";

/** Another version came while somebody typed: both as a diff, and the ways on. */
export function MemoryConflictView({ conflict, path }: { conflict: MemoryConflict; path: string }) {
  const { theirs, mine, merged, merge, keepMine, takeTheirs } = conflict;
  const { author, name } = theirs.updatedBy;
  const who = author === "agent" ? "A run" : (name ?? "Somebody");
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
          ? "Both changed the same lines, so one of the two has to be chosen. The other stays among the versions, or here until you choose."
          : "The changes are in different lines, so both can be kept."}
      </Notice>
      <Diff
        rows={diffRows(theirs.content, mine)}
        path={path}
        className="mt-2 max-h-56 rounded-md border border-border"
      />
    </div>
  );
}
