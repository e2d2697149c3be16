import Link from "next/link";
import { Tag } from "@/components/ui/tag";
import type { ThreadProject } from "@/lib/schema/projects/thread-project";

/** The page on which an administrator adds a provider, with its dialog open. */
const CONNECT_HREF = "/admin/providers?add=true";

export interface DemoModelNoteProps {
  /** A provider is configured, so there is a choice. */
  hasOthers: boolean;
  /** The viewer can connect one. */
  isAdmin: boolean;
}

/** Shown wherever the demo model would answer. */
export function DemoModelNote({ hasOthers, isAdmin }: DemoModelNoteProps) {
  return (
    <p className="flex items-center gap-2 text-xs text-muted">
      <Tag>demo model</Tag>
      <span className="min-w-0">
        {hasOthers
          ? "A small rule-based model answers. To talk to a real one, choose another model below."
          : "No provider is set up, so a small rule-based model answers."}{" "}
        {isAdmin ? (
          <Link href={CONNECT_HREF} className="text-link underline underline-offset-2">
            Connect a model
          </Link>
        ) : null}
      </span>
    </p>
  );
}

/** In place of the composer, for viewers with read access only. */
export function ReadOnlyNote({ project }: { project?: ThreadProject | undefined }) {
  return (
    <p className="mx-auto w-full max-w-[776px] px-6 py-4 text-xs text-muted max-sm:px-3">
      {project?.role === "read"
        ? `You can read here. Ask ${project.ownerName} to write.`
        : "Your role is viewer: you can read this thread but not write in it."}
    </p>
  );
}
