import { useMemo } from "react";
import { Diff } from "@/components/ui/code/diff";
import { Field } from "@/components/ui/form/field";
import { diffRows } from "@/lib/client/files/diff-rows";
import type { Form } from "@/lib/client/forms/use-form";
import type { ReplayForm } from "@/lib/client/trace/replay/replay-form";

/** The agent's prompt, and what of it differs from the recorded one. */
export function PromptChange({ of: form, recorded }: { of: Form<ReplayForm>; recorded: string }) {
  const { systemPrompt } = form.values;
  const rows = useMemo(
    () => (systemPrompt === recorded ? [] : diffRows(recorded, systemPrompt)),
    [recorded, systemPrompt],
  );
  return (
    <>
      <Field of={form} name="systemPrompt" label="Prompt" rows={4} />
      {rows.length === 0 ? null : <Diff rows={rows} path="prompt.md" className="max-h-40 rounded-md" />}
    </>
  );
}
