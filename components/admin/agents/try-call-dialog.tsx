"use client";
import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { ArgumentsBlock } from "@/components/ui/code/arguments-block";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { testPermission } from "@/lib/client/agents/agent-queries";
import { ruleText, VERDICT_LABELS } from "@/lib/client/chat/asks/interrupt-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import type { PermissionTestReply } from "@/lib/schema/agents/permission";

const Args = z.record(z.string(), z.unknown());
const KeptCall = z.object({ tool: z.string(), text: z.string() });
const NO_CALL: z.infer<typeof KeptCall> = { tool: "", text: "{}" };

export interface TryCallDialogProps {
  agent: AgentDetail;
  /** The draft: its permissions decide, published or not. Without it the published version's do. */
  yaml?: string;
  onClose: () => void;
}

/** A hypothetical call: what the permissions say about it, and which rule decides. A reload keeps what was typed. */
export function TryCallDialog({ agent, yaml, onClose }: TryCallDialogProps) {
  const kept = useRemembered(`try-call ${agent.id}`, KeptCall);
  const call = kept.value ?? NO_CALL;
  const { tool, text } = call;
  const args = parseArgs(text);
  const test = useMutation({
    mutationFn: () =>
      testPermission(agent.id, { tool: tool.trim(), args: args ?? {}, ...(yaml === undefined ? {} : { yaml }) }),
  });
  return (
    <FormDialog
      title="Try a call"
      size="md"
      submitLabel="Check the rules"
      cancelLabel="Close"
      isValid={tool.trim() !== "" && args !== null}
      isPending={test.isPending}
      error={test.error}
      onSubmit={() => test.mutate()}
      onClose={() => {
        kept.forget();
        onClose();
      }}
      after={test.data && !test.isPending ? <Verdict reply={test.data} /> : null}
    >
      <p className="text-sm text-muted">
        Nothing runs. {yaml === undefined ? "The agent's permissions" : "The permissions in the editor's text"} decide,
        as they would in a run.
      </p>
      <TextField
        label="Tool"
        description={agent.tools.length === 0 ? undefined : `This agent has ${agent.tools.join(", ")}.`}
        placeholder="execute, or an alias such as Bash"
        value={tool}
        onChange={(next) => kept.set({ ...call, tool: next })}
        mono
        autoFocus
      />
      <TextField
        label="Arguments as JSON"
        rows={4}
        mono
        value={text}
        onChange={(next) => kept.set({ ...call, text: next })}
        isInvalid={args === null}
        errorMessage="This is not a JSON object."
      />
    </FormDialog>
  );
}

function Verdict({ reply }: { reply: PermissionTestReply }) {
  const { verdict, explanation, tool, args, offered } = reply;
  const { word, look } = VERDICT_LABELS[verdict];
  return (
    <section aria-label="Verdict" aria-live="polite" className="mt-4 overflow-hidden rounded-lg border border-border">
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 border-b border-separator px-3 py-1 text-sm">
        <span className={classNames("rounded-sm px-1.5 text-xs leading-5 font-medium", look)}>{word}</span>
        <span className="font-mono text-xs">{tool}</span>
      </header>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 px-3 py-2 text-xs">
        <dt className="text-muted">Decided by</dt>
        <dd className="min-w-0 font-mono break-words">{ruleText(reply)}</dd>
        <dt className="text-muted">In words</dt>
        <dd className="min-w-0 break-words">{explanation}</dd>
        <dt className="text-muted">Offered</dt>
        <dd>{offered ? "The model sees the tool." : "The model does not see the tool."}</dd>
      </dl>
      <div className="border-t border-separator">
        <ArgumentsBlock args={args} />
      </div>
    </section>
  );
}

function parseArgs(text: string): Record<string, unknown> | null {
  try {
    const parsed = Args.safeParse(JSON.parse(text.trim() === "" ? "{}" : text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
