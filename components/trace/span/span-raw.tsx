import { CodeBlock } from "@/components/ui/code/code-block";
import type { Span } from "@/lib/schema/traces/span";

/** The stored record, whole. */
export function SpanRaw({ span }: { span: Span }) {
  return (
    <div className="p-3">
      <CodeBlock wrap title="span.json" code={JSON.stringify(span, null, 2)} />
    </div>
  );
}
