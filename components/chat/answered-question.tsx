import type { QuestionData } from "@/lib/schema/ui-message";

/** Questions that nobody can answer any more, with what was said. */
export function AnsweredQuestion({ data }: { data: QuestionData }) {
  return (
    <section aria-label="Answered question" className="rounded-lg border border-border bg-surface px-3 py-2 text-sm">
      <dl className="flex flex-col gap-1.5">
        {numbered(data).map(({ number, question, answer }) => (
          <div key={number}>
            <dt className="break-words whitespace-pre-wrap text-muted">{question}</dt>
            <dd className="break-words whitespace-pre-wrap">{answer}</dd>
          </div>
        ))}
      </dl>
      {data.note ? <p className="mt-1 text-xs break-words text-muted">“{data.note}”</p> : null}
    </section>
  );
}

const UNANSWERED: Partial<Record<QuestionData["status"], string>> = {
  denied: "Not answered",
  declined: "Declined by a new message or a stop: nobody answered",
};

function numbered({ questions, answers, status }: QuestionData) {
  return questions.map(({ question }, index) => {
    const given = answers?.[index];
    const text = typeof given === "string" ? given : (given ?? []).join(", ");
    return { number: index + 1, question, answer: text === "" ? (UNANSWERED[status] ?? "No answer") : text };
  });
}
