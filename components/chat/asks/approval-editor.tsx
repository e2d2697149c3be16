"use client";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import type { OpenDecision } from "@/lib/client/chat/asks/use-decisions";
import { onEscape } from "@/lib/client/ui/input/on-escape";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { AskFoot, BRASS } from "./ask-frame";

const Args = z.record(z.string(), z.unknown());
type Args = z.infer<typeof Args>;
const EditedText = z.string();

export interface ApprovalEditorProps {
  /** Identifies the call: an unfinished edit is kept while its card is not mounted. */
  memory: string;
  args: Readonly<Record<string, unknown>>;
  decision: OpenDecision;
  onAllow: (args: Args) => Promise<boolean>;
  onCancel: () => void;
}

/** Edits the arguments before they run; the server validates them with the tool's own rules. */
export function ApprovalEditor({ memory, args, decision, onAllow, onCancel }: ApprovalEditorProps) {
  const kept = useRemembered(`arguments ${memory}`, EditedText);
  const text = kept.value ?? JSON.stringify(args, null, 2);
  const parsed = parseArgs(text);
  const allow = async () => {
    if (parsed !== null && (await onAllow(parsed))) kept.forget();
  };
  const cancel = () => {
    kept.forget();
    onCancel();
  };
  return (
    <form onSubmit={(event) => event.preventDefault()} onKeyDown={onEscape(cancel)}>
      <TextField
        label="Arguments as JSON"
        className="px-3 pt-2.5"
        rows={Math.min(20, Math.max(4, text.split("\n").length))}
        mono
        autoFocus
        value={text}
        onChange={kept.set}
        isInvalid={parsed === null}
        errorMessage="This is not a JSON object."
      />
      <AskFoot>
        <Button
          className={decision.isFirst ? BRASS : undefined}
          isDisabled={parsed === null || !decision.canDecide}
          onPress={() => void allow()}
        >
          Allow as edited
        </Button>
        <Button variant="ghost" onPress={cancel}>
          Back
        </Button>
      </AskFoot>
    </form>
  );
}

function parseArgs(text: string): Args | null {
  try {
    const parsed = Args.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
