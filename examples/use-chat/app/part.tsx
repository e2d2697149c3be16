import type { DynamicToolUIPart } from "ai";
import type { AgentMessage } from "../agent-message";

type Answer = (answer: { id: string; approved: boolean }) => unknown;

/** One part of a message. The tools run in Ringmaster, so each of their calls is a `dynamic-tool` part. */
export function Part({ part, answer }: { part: AgentMessage["parts"][number]; answer: Answer }) {
  switch (part.type) {
    case "text":
      return <p>{part.text}</p>;
    case "reasoning":
      return (
        <details open>
          <summary>Reasoning</summary>
          <p>{part.text}</p>
        </details>
      );
    case "file":
      return <img src={part.url} alt={part.filename ?? "Attached picture"} />;
    case "dynamic-tool":
      return <ToolCall part={part} answer={answer} />;
    case "data-todos":
      return (
        <ul aria-label="Plan">
          {part.data.todos.map(({ id, title, status }) => (
            <li key={id}>
              {title} ({status})
            </li>
          ))}
        </ul>
      );
    default:
      return null;
  }
}

function ToolCall({ part, answer }: { part: DynamicToolUIPart; answer: Answer }) {
  return (
    <section aria-label={`Call of ${part.toolName}`}>
      <strong>{part.toolName}</strong> <span>{part.state}</span>
      <pre>{JSON.stringify(part.input, null, 2)}</pre>
      {part.state === "output-available" && <pre>{JSON.stringify(part.output, null, 2)}</pre>}
      {part.state === "output-error" && <p>{part.errorText}</p>}
      {part.state === "approval-requested" && (
        <p>
          <button type="button" onClick={() => answer({ id: part.approval.id, approved: true })}>
            Allow
          </button>{" "}
          <button type="button" onClick={() => answer({ id: part.approval.id, approved: false })}>
            Deny
          </button>
        </p>
      )}
    </section>
  );
}
