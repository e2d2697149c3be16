import { CodeBlock } from "@/components/ui/code/code-block";
import { readableResult } from "@/lib/client/trace/span-summary";
import type { Span } from "@/lib/schema/traces/span";
import type { ToolCallBody } from "@/lib/schema/traces/span-body";
import { CallCard } from "./message-card";

/** Arguments and result of each call, paired. Falls back to the span's own preview if the messages are gone. */
export function SpanToolCalls({ span, calls }: { span: Span; calls: readonly ToolCallBody[] }) {
  const wasRefused = span.attributes.refused !== undefined;
  if (calls.length > 0) {
    return (
      <div className="space-y-4 p-3">
        {calls.map(({ call, result }) => (
          <article key={call.id} className="space-y-2" aria-label={call.name}>
            <CallCard call={call} />
            {result === null ? (
              <p className="px-1 text-xs text-muted">No result was recorded.</p>
            ) : (
              <CallResult text={result.content} isError={result.isError} wasRefused={wasRefused} />
            )}
            <ForUser span={span} />
          </article>
        ))}
      </div>
    );
  }
  if (span.type === "llm") return <p className="p-4 text-xs text-muted">This call requested no tools.</p>;
  return (
    <div className="space-y-3 p-3">
      <ResultBlock label="Arguments" text={asText(span.attributes.tool_args)} isJson />
      <ResultBlock label="Output preview" text={asText(span.attributes.output_preview)} />
      <ForUser span={span} />
    </div>
  );
}

/** The tool's message to the user; the model has not read it. */
function ForUser({ span }: { span: Span }) {
  const text = asText(span.attributes.for_user);
  return text === "" ? null : <ResultBlock label="Shown to the user, not to the model" text={text} />;
}

/** A call that was not allowed to run did not fail. */
function CallResult({ text, isError, wasRefused }: { text: string; isError: boolean; wasRefused: boolean }) {
  if (wasRefused) return <ResultBlock label="Why it did not run" text={text} />;
  return <ResultBlock label={isError ? "Error" : "Result"} text={text} isError={isError} />;
}

interface ResultBlockProps {
  label: string;
  text: string;
  isError?: boolean;
  isJson?: boolean;
}

function ResultBlock({ label, text, isError = false, isJson = false }: ResultBlockProps) {
  const isStructured = isJson || /^\s*[[{]/.test(text);
  return (
    <div>
      <p className={`px-1 pb-1 text-xs ${isError ? "text-fail-text" : "text-muted"}`}>{label}</p>
      <div className="max-h-[480px] overflow-auto rounded-md border border-border">
        {text === "" ? (
          <p className="px-2.5 py-1.5 text-xs text-muted">Nothing</p>
        ) : (
          <CodeBlock isBare wrap title={isStructured ? "json" : "text"} code={readableResult(text)} />
        )}
      </div>
    </div>
  );
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
