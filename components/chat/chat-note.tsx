import { Tag } from "@/components/ui/tag";

/** Said wherever the demo model would answer. */
export function DemoModelNote() {
  return (
    <p className="mb-2 flex items-center gap-2 text-xs text-muted">
      <Tag>demo model</Tag>
      <span className="min-w-0">No provider is set up, so a small rule-based model answers.</span>
    </p>
  );
}
