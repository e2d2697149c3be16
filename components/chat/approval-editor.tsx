"use client";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";
import { AskingFoot, BRASS } from "./asking-card";
import type { OpenDecision } from "./use-decision";

const Args = z.record(z.string(), z.unknown());
type Args = z.infer<typeof Args>;

export interface ApprovalEditorProps {
  args: Readonly<Record<string, unknown>>;
  decision: OpenDecision;
  onAllow: (args: Args) => Promise<boolean>;
  onCancel: () => void;
}

/** Changes the arguments before they run; the server checks them against the tool's own rules. */
export function ApprovalEditor({ args, decision, onAllow, onCancel }: ApprovalEditorProps) {
  const [text, setText] = useState(() => JSON.stringify(args, null, 2));
  const parsed = parseArgs(text);
  return (
    <>
      <TextField
        label="Arguments as JSON"
        className="px-3 pt-2.5"
        rows={Math.min(20, Math.max(4, text.split("\n").length))}
        mono
        autoFocus
        value={text}
        onChange={setText}
        isInvalid={parsed === null}
        errorMessage="This is not a JSON object."
      />
      <AskingFoot>
        <Button
          className={decision.isFirst ? BRASS : undefined}
          isDisabled={parsed === null || !decision.canDecide}
          onPress={() => {
            if (parsed !== null) void onAllow(parsed);
          }}
        >
          Allow as edited
        </Button>
        <Button variant="ghost" onPress={onCancel}>
          Back
        </Button>
      </AskingFoot>
    </>
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
