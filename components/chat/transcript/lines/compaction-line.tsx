import { formatCount, formatTokens } from "@/lib/client/ui/text/format";
import type { CompactionData } from "@/lib/schema/runs/compaction";
import { FoldedLine } from "./folded-line";

/** Says that the model reads a summary instead of the messages above; people still see them. */
export function CompactionLine({ memory, compaction }: { memory: string; compaction: CompactionData }) {
  const { compacted, tokensBefore, tokensAfter, memoryFlushed, summary } = compaction;
  const messages = compacted === 1 ? "1 message" : `${formatCount(compacted)} messages`;
  return (
    <FoldedLine
      memory={memory}
      title="Earlier messages were summarised"
      gist={messages}
      fact={`about ${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens`}
    >
      <div className="mt-1 ml-[6px] border-l border-border pl-4 text-sm break-words text-muted">
        <p>
          {messages} became this summary, which the model reads instead.
          {memoryFlushed ? " Before that, the agent could save lasting facts to memory." : ""}
        </p>
        <p className="mt-1 whitespace-pre-wrap">{summary}</p>
      </div>
    </FoldedLine>
  );
}
