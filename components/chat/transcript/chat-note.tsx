import { Tag } from "@/components/ui/tag";

/** Shown wherever the demo model would answer. `hasOthers`: a provider is configured, so there is a choice. */
export function DemoModelNote({ hasOthers }: { hasOthers: boolean }) {
  return (
    <p className="flex items-center gap-2 text-xs text-muted">
      <Tag>demo model</Tag>
      <span className="min-w-0">
        {hasOthers
          ? "A small rule-based model answers. To talk to a real one, choose another model below."
          : "No provider is set up, so a small rule-based model answers."}
      </span>
    </p>
  );
}

/** Where the composer would be, for those who may only read. */
export function ReadOnlyNote() {
  return (
    <p className="mx-auto w-full max-w-[776px] px-6 py-4 text-xs text-muted max-sm:px-3">
      Your role is viewer: you can read this thread but not write in it.
    </p>
  );
}
