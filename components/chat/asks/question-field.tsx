"use client";
import { useId } from "react";
import { TextField } from "@/components/ui/controls/text-field";
import { type AnswerDraft, chooseOption, writeAnswer } from "@/lib/client/chat/asks/question-answers";

export interface QuestionFieldProps {
  draft: AnswerDraft;
  onDraft: (draft: AnswerDraft) => void;
}

/** Options are native radios or checkboxes, so arrows, space and Tab work; a free-text answer is always possible. */
export function QuestionField({ draft, onDraft }: QuestionFieldProps) {
  const name = useId();
  const { question, options = [], multiple = false } = draft.question;
  return (
    <fieldset className="border-b border-separator px-3 pt-2.5 pb-3 last-of-type:border-b-0">
      <legend className="float-left mb-1.5 w-full text-sm font-medium break-words whitespace-pre-wrap">
        {question}
      </legend>
      <div className="clear-both">
        {options.map((option) => (
          <label
            key={option}
            className="flex min-h-7 items-center gap-2 rounded-md px-1.5 text-sm touch-row hover:bg-default has-checked:bg-default"
          >
            <input
              type={multiple ? "checkbox" : "radio"}
              name={name}
              checked={draft.chosen.includes(option)}
              onChange={() => onDraft(chooseOption(draft, option))}
              className="accent-foreground"
            />
            <span className="min-w-0 break-words">{option}</span>
          </label>
        ))}
        <TextField
          label={options.length === 0 ? "Answer" : "Another answer"}
          className="mt-1.5"
          value={draft.text}
          maxLength={20_000}
          onChange={(text) => onDraft(writeAnswer(draft, text))}
        />
      </div>
    </fieldset>
  );
}
