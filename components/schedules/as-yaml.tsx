"use client";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { yamlLines } from "@/lib/client/schedules/schedule-yaml";
import { classNames } from "@/lib/client/ui/class-names";

type AsYamlProps = { fields: Parameters<typeof yamlLines>[0]; before: Parameters<typeof yamlLines>[1] };

/** The schedule as in an agent's `schedules`; what saving would change is marked. */
export function AsYaml({ fields, before }: AsYamlProps) {
  const lines = yamlLines(fields, before);
  const changed = lines.filter(({ isChanged }) => isChanged).length;
  return (
    <section aria-label="As YAML">
      <div className="flex h-7 items-center gap-2">
        <h2 className="text-sm font-medium">As YAML</h2>
        <span className="text-xs text-muted">
          under <code className="font-mono">schedules:</code> of an agent
          {changed === 0 ? "" : ` · ${changed} changed`}
        </span>
        <span className="ml-auto">
          <CopyButton label="Copy the YAML" text={lines.map(({ text }) => text).join("\n")} />
        </span>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by keys
        tabIndex={0}
        className="overflow-auto rounded-md border border-border bg-surface-secondary py-1.5 font-mono text-xs"
      >
        {lines.map(({ text, isChanged }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity of its own
            key={index}
            className={classNames("block border-l-2 px-2.5", isChanged ? "border-ok" : "border-transparent")}
          >
            {isChanged ? <span className="sr-only">changed: </span> : null}
            {text === "" ? "\u00a0" : text}
          </span>
        ))}
      </pre>
    </section>
  );
}
