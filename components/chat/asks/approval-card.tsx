"use client";
import dynamic from "next/dynamic";
import { Fragment, useState } from "react";
import { CallArguments } from "@/components/chat/transcript/call-arguments";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { approvalTitle, askedGist } from "@/lib/client/chat/asks/interrupt-labels";
import { callKey, type OpenDecision, useDecision } from "@/lib/client/chat/asks/use-decisions";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { unlessHeld } from "@/lib/client/ui/input/unless-held";
import { useIsTyping } from "@/lib/client/ui/input/use-is-typing";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { simpleCommand, suggestPattern } from "@/lib/schema/tools/command-pattern";
import type { CallSummary } from "@/lib/schema/tools/tool";
import { ApprovalEditor } from "./approval-editor";
import { AskFoot, AskFrame, BRASS, KeyOnBrass, RefusedDecision, Undecidable } from "./ask-frame";
import { DenyForm } from "./deny-form";

const PatternForm = dynamic(async () => (await loadWithRetry(() => import("./pattern-form"))).PatternForm, {
  loading: () => null,
});

export interface ApprovalCardProps {
  /** The run of the call: the thread's, or a subagent's. */
  runId: string;
  toolCallId: string;
  tool: string;
  args: Record<string, unknown>;
  /** The call described for people; absent in asks of earlier versions. */
  facts?: CallSummary;
  reason?: string;
  /** The place where it would run, as a phrase. */
  runsIn?: string;
  expiresAt?: string;
  askedAtMs: number | null;
  /** False while other calls of the same step are still running. */
  isReady: boolean;
  /** The asking subagent, if it is not the thread's agent. */
  from?: string;
}

function labelOf({ tool, from, ...asked }: ApprovalCardProps): string {
  return ["Approval:", tool, askedGist(asked).slice(0, 80), from === undefined ? "" : `from ${from}`]
    .filter(Boolean)
    .join(" ");
}

type Mode = "choose" | "edit" | "deny" | "pattern";

/** Asks whether exactly this call may run. */
export function ApprovalCard(props: ApprovalCardProps) {
  const { runId, toolCallId, tool, args, reason, runsIn, expiresAt, askedAtMs, isReady, from } = props;
  const [mode, setMode] = useState<Mode>("choose");
  const [left, setLeft] = useState<Mode>("choose");
  const decision = useDecision(runId, toolCallId);
  const suggestion = suggestPattern(commandOf(props));
  const close = () => {
    setLeft(mode);
    setMode("choose");
  };
  return (
    <AskFrame label={labelOf(props)} title={approvalTitle(props)} askedAtMs={askedAtMs} expiresAt={expiresAt}>
      {mode === "edit" ? null : <CallArguments args={args} kind={props.facts?.kind} />}
      {mode === "edit" ? null : <AskSummary tool={tool} reason={reason} runsIn={runsIn} from={from} />}
      <RefusedDecision text={decision.error} />
      {mode === "edit" ? (
        <ApprovalEditor
          memory={callKey(runId, toolCallId)}
          args={args}
          decision={decision}
          onCancel={close}
          onAllow={(edited) => decision.decide({ decision: "edit", args: edited })}
        />
      ) : null}
      {mode === "deny" ? (
        <DenyForm
          label="Why not? The model will read this."
          memory={callKey(runId, toolCallId)}
          isBusy={!decision.canDecide}
          onCancel={close}
          onDeny={(text) => decision.decide({ decision: "deny", ...(text === "" ? {} : { reason: text }) })}
        />
      ) : null}
      {mode === "pattern" && suggestion !== null ? (
        <PatternForm
          command={commandOf(props)}
          suggestion={suggestion}
          of={decision.agentId === null ? null : { agentId: decision.agentId, tool }}
          isBusy={!decision.canDecide}
          onCancel={close}
          onAllow={(pattern) => decision.decide({ decision: "allow", scope: "pattern", pattern })}
        />
      ) : null}
      {mode === "choose" && isReady && suggestion === null ? <NoPattern command={commandOf(props)} /> : null}
      {mode === "choose" ? (
        <Choice decision={decision} isReady={isReady} left={left} suggestion={suggestion} onMode={setMode} />
      ) : null}
    </AskFrame>
  );
}

/** Why commands like this one can't be allowed; nothing for a call that is no command. */
function NoPattern({ command }: { command: string }) {
  if (command.trim() === "") return null;
  const reason =
    simpleCommand(command) === null
      ? "it combines commands or lets the shell expand them"
      : "its first words are not plain";
  return <p className="px-3 pt-2 text-xs text-muted">Commands like this cannot be allowed, because {reason}.</p>;
}

function AskSummary({ tool, reason, runsIn, from }: Pick<ApprovalCardProps, "tool" | "reason" | "runsIn" | "from">) {
  const facts = [
    [
      "Tool",
      <span key="tool" className="font-mono">
        {tool}
      </span>,
    ],
    ["Asked by", from === undefined ? undefined : `subagent ${from}`],
    ["Reason", reason],
    ["Runs on", runsIn],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 border-t border-separator px-3 pt-2.5 text-xs">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

/** Empty for a call that is not a command. */
function commandOf({ args, facts }: Pick<ApprovalCardProps, "args" | "facts">): string {
  return facts?.kind === "command" && typeof args.command === "string" ? args.command : "";
}

interface ChoiceProps {
  decision: OpenDecision;
  /** The first words of commands like this one; null if no pattern can be allowed. */
  suggestion: string | null;
  isReady: boolean;
  /** The mode that was just left: focus returns to the button that opened it. */
  left: Mode;
  onMode: (mode: Mode) => void;
}

function Choice({ decision, isReady, left, suggestion, onMode }: ChoiceProps) {
  const isOpen = decision.canDecide && isReady;
  const { isFirst } = decision;
  const allow = () => void decision.decide({ decision: "allow", scope: "once" });
  const deny = () => onMode("deny");
  const keys = { y: unlessHeld(allow), n: unlessHeld(deny), "alt+y": unlessHeld(allow), "alt+n": unlessHeld(deny) };
  useShortcuts(isFirst && isOpen ? keys : {});
  // In a field plain letters are text: a word that begins with y must not approve anything.
  const modifier = useIsTyping() ? "Alt " : "";
  if (decision.isReadOnly || decision.isAgentDeleted) return <Undecidable isAgentDeleted={decision.isAgentDeleted} />;
  if (!isReady)
    return <p className="px-3 pt-2.5 pb-3 text-xs text-muted">Other calls in this step are still running.</p>;
  return (
    <AskFoot>
      <Button className={isFirst ? BRASS : undefined} isDisabled={!isOpen} onPress={allow}>
        {decision.sent === "allow" ? "Allowing" : "Allow once"}{" "}
        {isFirst ? <KeyOnBrass>{`${modifier}y`}</KeyOnBrass> : null}
      </Button>
      <Button
        className="@max-lg:px-2"
        isDisabled={!isOpen}
        onPress={() => void decision.decide({ decision: "allow", scope: "thread" })}
      >
        Allow this exact call
      </Button>
      {suggestion === null ? null : (
        <Button
          variant="ghost"
          className="@max-lg:px-2"
          autoFocus={left === "pattern"}
          isDisabled={!isOpen}
          onPress={() => onMode("pattern")}
        >
          Allow commands like this
        </Button>
      )}
      <Button variant="ghost" autoFocus={left === "edit"} isDisabled={!isOpen} onPress={() => onMode("edit")}>
        Edit
      </Button>
      <span className="flex-1 @max-lg:hidden" />
      <Button
        variant="danger-ghost"
        className="@max-lg:col-start-2 @max-lg:row-start-2"
        autoFocus={left === "deny"}
        isDisabled={!isOpen}
        onPress={deny}
      >
        Deny {isFirst ? <Kbd>{`${modifier}n`}</Kbd> : null}
      </Button>
    </AskFoot>
  );
}
