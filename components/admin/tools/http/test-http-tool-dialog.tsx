"use client";
import { useState } from "react";
import { z } from "zod";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { StateChip } from "@/components/ui/states/state-ring";
import { typedJson } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { testHttpTool } from "@/lib/client/tools/tool-queries";
import { formatDuration } from "@/lib/schema/format-duration";
import type { HttpTool, TestHttpToolReply } from "@/lib/schema/tools/http-tool";

const CallForm = z.object({ args: typedJson(z.record(z.string(), z.unknown())) });

/** One real call, signed as in a run, and what a model would read of it. */
export function TestHttpToolDialog({ tool, onClose }: { tool: HttpTool; onClose: () => void }) {
  const [reply, setReply] = useState<TestHttpToolReply | null>(null);
  const form = useForm({
    schema: CallForm,
    initial: { args: exampleOf(tool) },
    save: ({ args }) => testHttpTool(tool.name, args),
    onSaved: setReply,
  });
  return (
    <FormDialog
      form={form}
      title={`Test ${tool.name}`}
      submitLabel="Call it now"
      cancelLabel="Close"
      onClose={onClose}
      after={reply && !form.isPending && form.refusal === null ? <Answer reply={reply} /> : null}
    >
      <p className="text-sm text-muted">
        This is a real call to{" "}
        <span className="font-mono text-xs break-all">{tool.kind === "callback" ? tool.callback_url : tool.url}</span>
        {tool.kind === "callback" ? `${tool.signed ? ", signed" : ""}. Its run and thread ids begin with test_.` : "."}
      </p>
      <Field of={form} name="args" label="Arguments as JSON" rows={4} mono autoFocus />
    </FormDialog>
  );
}

/** The required arguments, each to be filled in. */
function exampleOf(tool: HttpTool): string {
  const { properties = {}, required = [] } = tool.kind === "callback" ? tool.parameters : tool.arguments;
  const names = Object.keys(Object(properties)).filter((name) => Array.isArray(required) && required.includes(name));
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, ""])), null, 2);
}

function Answer({ reply: { ok, output, error, answer, durationMs } }: { reply: TestHttpToolReply }) {
  return (
    <section aria-label="Answer" aria-live="polite" className="mt-4 overflow-hidden rounded-lg border border-border">
      <header className="flex min-h-9 items-center gap-2 border-b border-separator px-3">
        <StateChip status={ok ? "completed" : "failed"} word={ok ? "Answered" : "Failed"} />
        <span className="tnum ml-auto text-xs text-muted">{formatDuration(durationMs)}</span>
      </header>
      <CodeBlock isBare wrap code={error ?? output} title="what the model reads" className="max-h-60 overflow-auto" />
      {answer === undefined ? null : (
        <details className="border-t border-separator">
          <summary className="cursor-pointer px-3 py-2 text-xs text-muted">
            The real answer: HTTP {answer.status}
            {answer.contentType === "" ? "" : `, ${answer.contentType}`}
          </summary>
          <CodeBlock isBare wrap code={answer.text} title="the real answer" className="max-h-60 overflow-auto" />
        </details>
      )}
    </section>
  );
}
