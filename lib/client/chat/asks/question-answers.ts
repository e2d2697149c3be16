import { z } from "zod";
import type { Answer, Question } from "@/lib/schema/runs/interrupt";

/** A question with its answer in progress: chosen options, and free text. */
export interface AnswerDraft {
  readonly id: string;
  readonly question: Question;
  readonly chosen: readonly string[];
  readonly text: string;
}

/** The drafts as stored while their card is not mounted. */
export const StoredAnswers = z.array(z.object({ chosen: z.array(z.string()).readonly(), text: z.string() }));
type StoredAnswers = z.infer<typeof StoredAnswers>;

/** One draft per question, restored from what is stored. */
export function toDrafts(questions: readonly Question[], kept: StoredAnswers | null): AnswerDraft[] {
  return questions.map((question, index) => {
    const { chosen, text } = kept?.[index] ?? { chosen: [], text: "" };
    return { id: `question-${index}`, question, chosen, text };
  });
}

export function toStored(drafts: readonly AnswerDraft[]): StoredAnswers {
  return drafts.map(({ chosen, text }) => ({ chosen, text }));
}

/** A new option replaces the previous one and any free text, unless several are allowed. */
export function chooseOption(draft: AnswerDraft, option: string): AnswerDraft {
  if (!draft.question.multiple) return { ...draft, chosen: [option], text: "" };
  const isChosen = draft.chosen.includes(option);
  const chosen = isChosen ? draft.chosen.filter((other) => other !== option) : [...draft.chosen, option];
  return { ...draft, chosen };
}

/** Free text replaces the option, or is added to those chosen if several are allowed. */
export function writeAnswer(draft: AnswerDraft, text: string): AnswerDraft {
  return { ...draft, chosen: draft.question.multiple || text === "" ? draft.chosen : [], text };
}

export function isAnswered(draft: AnswerDraft): boolean {
  return toAnswer(draft).length > 0;
}

/** In the server's format: text, or a list in option order if several are allowed. */
export function toAnswer({ question, chosen, text }: AnswerDraft): Answer {
  const own = text.trim();
  if (!question.multiple || question.options === undefined) return chosen[0] ?? own;
  const inOrder = question.options.filter((option) => chosen.includes(option));
  return own === "" ? inOrder : [...inOrder, own];
}
