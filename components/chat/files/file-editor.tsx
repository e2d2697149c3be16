"use client";
import { Button } from "@/components/ui/controls/button";
import { Notice } from "@/components/ui/states/notice";
import type { FileEdit } from "@/lib/client/files/use-file-edit";

/** A file's text, while editing. */
export function FileEditor({ path, edit }: { path: string; edit: FileEdit }) {
  return (
    <div className="flex flex-col gap-3 p-4">
      {edit.isChangedElsewhere ? (
        <Notice
          status="interrupted"
          title="The file was changed while you edited it"
          actions={<Button onPress={edit.saveAnyway}>Save mine</Button>}
        >
          The current text stays available in its versions.
        </Notice>
      ) : null}
      <textarea
        aria-label={`Text of ${path}`}
        ref={focusAtFirst}
        spellCheck={false}
        dir="auto"
        value={edit.text}
        onChange={(event) => edit.setText(event.target.value)}
        className="h-[50vh] w-full resize-none rounded-md border border-border-strong bg-code p-3 font-mono text-xs leading-5 -outline-offset-2 pointer-coarse:text-lg"
      />
    </div>
  );
}

/** Focused here, because the button that opened the editor is gone. */
function focusAtFirst(field: HTMLTextAreaElement | null): void {
  field?.focus();
}
