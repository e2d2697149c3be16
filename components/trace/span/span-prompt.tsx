"use client";
import { z } from "zod";
import { formatCount } from "@/lib/client/ui/text/format";
import type { Span } from "@/lib/schema/traces/span";
import type { PromptPart } from "@/lib/schema/traces/span-body";
import { MessageCard } from "./message-card";

export interface SpanPromptProps {
  span: Span;
  /** Null in traces that kept no texts. */
  parts: readonly PromptPart[] | null;
  /** The texts are for administrators only. */
  isHidden: boolean;
}

/** The system prompt of a model call: the names of its parts and, expanded, their texts. */
export function SpanPrompt({ span, parts, isHidden }: SpanPromptProps) {
  const found = PromptContext.safeParse(span.attributes);
  if (!found.success) return null;
  const { system_sections: names, system_length: length } = found.data;
  if (length === 0) return <p className="px-1 text-xs text-muted">No system prompt</p>;
  const listed = parts ? parts.map(({ name, tokens }) => `${name} ${formatCount(tokens)}`) : names;
  const line = (
    <>
      System prompt{parts ? " (tokens, estimated)" : ""}: {listed.join(", ") || "none"}{" "}
      <span className="tnum">({formatCount(length)} chars)</span>
    </>
  );
  if (!parts?.some(({ text }) => text !== null))
    return (
      <p className="px-1 text-xs text-muted">
        {line}
        {isHidden ? " Its text is shown to administrators only." : ""}
      </p>
    );
  return (
    <details className="text-xs text-muted">
      <summary className="cursor-pointer rounded px-1 py-1 touch-row hover:text-foreground">{line}</summary>
      <div className="mt-1 space-y-2 text-foreground">
        {parts.map(({ name, text }) => (
          <MessageCard key={`${name} ${text}`} from="system" who={name} text={text ?? "This text was not kept."} />
        ))}
      </div>
    </details>
  );
}

const PromptContext = z.object({ system_sections: z.array(z.string()), system_length: z.number() });
