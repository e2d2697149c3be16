import { formatCount } from "@/lib/client/ui/text/format";
import type { FlowPreview } from "@/lib/schema/agents/flow-preview";

type FlowTool = FlowPreview["tools"][number];

const GROUPS: readonly { readonly verdict: FlowTool["verdict"]; readonly title: string }[] = [
  { verdict: "ask", title: "A person is asked first" },
  { verdict: "allow", title: "Run at once" },
  { verdict: "deny", title: "Refused" },
];

/** The agent's tools by what its permissions say; a rule that looks at arguments may decide otherwise. */
export function FlowTools({ tools, maxParallel }: { tools: readonly FlowTool[]; maxParallel: number }) {
  if (tools.length === 0)
    return <p className="text-muted">The model has no tools, so its first reply is the answer.</p>;
  return (
    <>
      <p className="text-muted">
        The calls of one reply run in parallel, at most {formatCount(maxParallel)} at a time.
      </p>
      {GROUPS.map(({ verdict, title }) => {
        const found = tools.filter((tool) => tool.verdict === verdict);
        if (found.length === 0) return null;
        return (
          <div key={verdict}>
            <h3 className="text-xs text-muted">
              {title}, {formatCount(found.length)}
            </h3>
            <ul aria-label={title} className="flex flex-wrap gap-1 pt-0.5">
              {found.map((tool) => (
                <li
                  key={tool.name}
                  title={tool.explanation}
                  className="inline-flex min-h-5 items-center gap-1 rounded-sm bg-default px-1.5 text-xs text-muted"
                >
                  <span className="font-mono text-2xs text-foreground">{tool.name}</span>
                  {notesOf(tool)}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}

function notesOf({ readOnly, rules, offered, refusedBy }: FlowTool): string {
  return [
    ...(readOnly ? ["reads"] : []),
    ...(rules === 0 ? [] : [rules === 1 ? "1 rule for arguments" : `${rules} rules for arguments`]),
    ...(offered ? [] : ["not offered"]),
    ...refusedBy.map((model) => `left out for ${model}, whose provider refused it`),
  ].join(", ");
}
