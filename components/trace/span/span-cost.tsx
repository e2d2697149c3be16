import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { type SpanSummary, summarizeSpan } from "@/lib/client/trace/span-summary";
import { formatCost, formatCount } from "@/lib/client/ui/text/format";
import type { Span } from "@/lib/schema/traces/span";

const columnsOf = ({ isUsageEstimated }: SpanSummary) =>
  [
    { id: "class", label: "Class" },
    { id: "tokens", label: isUsageEstimated ? "Tokens (estimated)" : "Tokens", align: "right" },
  ] as const;

/** Tokens by class as the provider counted them, or estimated; the cost is of the whole call. */
export function SpanCost({ span }: { span: Span }) {
  const facts = summarizeSpan(span);
  const cached = facts.cachedReadTokens ?? 0;
  const written = facts.cachedWriteTokens ?? 0;
  const fresh = facts.inputTokens === null ? null : Math.max(0, facts.inputTokens - cached - written);
  const rows: readonly (readonly [string, number | null])[] = [
    ["Cached input", facts.cachedReadTokens],
    ["Written to cache", facts.cachedWriteTokens],
    ["New input", fresh],
    ["Output", facts.outputTokens],
    ["of it reasoning", facts.reasoningTokens],
  ];
  return (
    <div className="py-2">
      <Table label="Tokens and cost">
        <TableHead columns={columnsOf(facts)} />
        <tbody>
          {rows.map(([label, value]) => (
            <TableRow key={label}>
              <TableCell>{label}</TableCell>
              <TableCell align="right">{value === null ? "unknown" : formatCount(value)}</TableCell>
            </TableRow>
          ))}
          <TableRow>
            <TableCell className="font-medium">Cost</TableCell>
            <TableCell align="right" className="font-medium">
              {formatCost(facts.costUsd)}
            </TableCell>
          </TableRow>
        </tbody>
      </Table>
    </div>
  );
}
