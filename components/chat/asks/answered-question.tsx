import { questionText } from "@/lib/client/chat/asks/interrupt-labels";
import type { QuestionData } from "@/lib/schema/messages/ui-message";
import { DecisionLine } from "./decision-line";

/** Closed questions, with their answers and who gave them. */
export function AnsweredQuestion({ data }: { data: QuestionData }) {
  const first = data.questions[0]?.question ?? "";
  return (
    <article
      aria-label={`Answered question: ${first.slice(0, 80)}`}
      className="rounded-lg border border-border bg-surface text-sm"
    >
      <dl className="flex flex-col gap-1.5 px-3 py-2">
        {numbered(data).map(({ number, question, answer }) => (
          <div key={number}>
            <dt className="break-words whitespace-pre-wrap text-muted">{question}</dt>
            <dd className="break-words whitespace-pre-wrap">{answer}</dd>
          </div>
        ))}
      </dl>
      <div className="border-t border-separator px-3 py-1.5 text-xs text-muted">
        <DecisionLine decided={data}>{questionText(data)}</DecisionLine>
        {data.note ? <p className="pl-3.5 break-words whitespace-pre-wrap">“{data.note}”</p> : null}
      </div>
    </article>
  );
}

function numbered({ questions, answers, status }: QuestionData) {
  return questions.map(({ question }, index) => {
    const given = answers?.[index];
    const text = typeof given === "string" ? given : (given ?? []).join(", ");
    const none = status === "answered" ? "No answer" : "Not answered";
    return { number: index + 1, question, answer: text === "" ? none : text };
  });
}
