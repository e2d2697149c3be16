"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { StateChip } from "@/components/ui/states/state-ring";
import { readJsonObject } from "@/lib/client/tools/json-object";
import { testHttpTool } from "@/lib/client/tools/tool-queries";
import { formatDuration } from "@/lib/schema/format-duration";
import type { RegisteredTool, TestHttpToolReply } from "@/lib/schema/tools/http-tool";

/** One real call, signed as in a run, and what a model would read of it. */
export function TestHttpToolDialog({ tool, onClose }: { tool: RegisteredTool; onClose: () => void }) {
  const [text, setText] = useState("{}");
  const args = readJsonObject(text);
  const test = useMutation({ mutationFn: () => testHttpTool(tool.name, args ?? {}) });
  return (
    <FormDialog
      title={`Test ${tool.name}`}
      submitLabel="Call it now"
      cancelLabel="Close"
      isValid={args !== null}
      isPending={test.isPending}
      error={test.error}
      onSubmit={() => test.mutate()}
      onClose={onClose}
      after={test.data && !test.isPending ? <Answer reply={test.data} /> : null}
    >
      <p className="text-sm text-muted">
        This is a real call to <span className="font-mono text-xs break-all">{tool.callback_url}</span>
        {tool.signed ? ", signed" : ""}. Its run and thread ids begin with test_.
      </p>
      <TextField
        label="Arguments as JSON"
        rows={4}
        mono
        value={text}
        onChange={setText}
        isInvalid={args === null}
        errorMessage="This is not a JSON object."
        autoFocus
      />
    </FormDialog>
  );
}

function Answer({ reply: { ok, output, error, durationMs } }: { reply: TestHttpToolReply }) {
  return (
    <section aria-label="Answer" aria-live="polite" className="mt-4 overflow-hidden rounded-lg border border-border">
      <header className="flex min-h-9 items-center gap-2 border-b border-separator px-3">
        <StateChip status={ok ? "completed" : "failed"} word={ok ? "Answered" : "Failed"} />
        <span className="tnum ml-auto text-xs text-muted">{formatDuration(durationMs)}</span>
      </header>
      <CodeBlock isBare wrap code={error ?? output} title="what the model reads" className="max-h-60 overflow-auto" />
    </section>
  );
}
