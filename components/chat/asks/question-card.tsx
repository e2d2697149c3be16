"use client";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { isAnswered, StoredAnswers, toAnswer, toDrafts, toStored } from "@/lib/client/chat/asks/question-answers";
import { callKey, useDecision } from "@/lib/client/chat/asks/use-decisions";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { Question } from "@/lib/schema/runs/interrupt";
import { AskFoot, AskFrame, BRASS, RefusedDecision, Undecidable } from "./ask-frame";
import { DenyForm } from "./deny-form";
import { QuestionField } from "./question-field";

export interface QuestionCardProps {
  runId: string;
  toolCallId: string;
  questions: readonly Question[];
  askedAtMs: number | null;
  expiresAt?: string;
  isReady: boolean;
  from?: string;
}

/** The agent's questions, answered in place. Enter in a text field sends once everything is answered. */
export function QuestionCard(props: QuestionCardProps) {
  const { runId, toolCallId, questions, askedAtMs, expiresAt, isReady, from } = props;
  const kept = useRemembered(`answers ${callKey(runId, toolCallId)}`, StoredAnswers);
  const drafts = toDrafts(questions, kept.value);
  const [isDenying, setDenying] = useState(false);
  const [hasLeftDenying, setLeftDenying] = useState(false);
  const decision = useDecision(runId, toolCallId);
  const isClosed = decision.isReadOnly || decision.isAgentDeleted;
  const canSend = decision.canDecide && isReady && drafts.every(isAnswered);
  const send = async () => {
    if (await decision.decide({ decision: "answer", answers: drafts.map(toAnswer) })) kept.forget();
  };
  return (
    <AskFrame label={labelOf(questions)} title={titleOf(questions, from)} askedAtMs={askedAtMs} expiresAt={expiresAt}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) void send();
        }}
      >
        <fieldset disabled={isClosed} className="contents">
          {drafts.map((draft, index) => (
            <QuestionField
              key={draft.id}
              draft={draft}
              onDraft={(next) => kept.set(toStored(drafts.with(index, next)))}
            />
          ))}
        </fieldset>
        <RefusedDecision text={decision.error} />
        {isClosed ? <Undecidable isAgentDeleted={decision.isAgentDeleted} /> : null}
        {isDenying || isClosed ? null : (
          <AskFoot>
            <Button type="submit" className={decision.isFirst ? BRASS : undefined} isDisabled={!canSend}>
              {questions.length === 1 ? "Send answer" : "Send answers"}
            </Button>
            <span className="flex-1 @max-lg:hidden" />
            <Button
              variant="ghost"
              autoFocus={hasLeftDenying}
              isDisabled={!decision.canDecide || !isReady}
              onPress={() => setDenying(true)}
            >
              Don't answer
            </Button>
          </AskFoot>
        )}
      </form>
      {isDenying ? (
        <DenyForm
          label="Why not? The model will read this."
          memory={callKey(runId, toolCallId)}
          isBusy={!decision.canDecide}
          onCancel={() => {
            setLeftDenying(true);
            setDenying(false);
          }}
          onDeny={(text) => decision.decide({ decision: "deny", ...(text === "" ? {} : { reason: text }) })}
        />
      ) : null}
    </AskFrame>
  );
}

/** The accessible name, unique among the cards on the page. */
function labelOf([first]: readonly Question[]): string {
  return `Question: ${(first?.question ?? "").slice(0, 80)}`;
}

function titleOf(questions: readonly Question[], from: string | undefined): string {
  const title = questions.length === 1 ? "A question for you" : `${questions.length} questions for you`;
  return from === undefined ? title : `${title}, from ${from}`;
}
