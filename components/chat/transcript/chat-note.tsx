import Link from "next/link";
import { Tag } from "@/components/ui/tag";
import type { ThreadProject } from "@/lib/schema/projects/thread-project";

const PROVIDERS_HREF = "/admin/models";

export interface DemoModelNoteProps {
  /** A provider is configured. */
  hasOthers: boolean;
  /** The agent allows another model for a message. */
  mayChoose: boolean;
  /** The viewer can connect a provider and change the default model. */
  isAdmin: boolean;
}

/** Shown wherever the demo model would answer. */
export function DemoModelNote({ hasOthers, mayChoose, isAdmin }: DemoModelNoteProps) {
  return (
    <p className="flex items-center gap-2 text-xs text-muted">
      <Tag>demo model</Tag>
      <span className="min-w-0">
        {hasOthers
          ? "A small rule-based model answers."
          : "No provider is set up, so a small rule-based model answers."}{" "}
        <WayToRealModel {...{ hasOthers, mayChoose, isAdmin }} />
      </span>
    </p>
  );
}

function WayToRealModel({ hasOthers, mayChoose, isAdmin }: DemoModelNoteProps) {
  if (hasOthers && mayChoose) return "To talk to a real one, choose another model below.";
  if (!isAdmin) return hasOthers ? "Ask an administrator to choose a real one." : null;
  return (
    <Link
      href={hasOthers ? PROVIDERS_HREF : `${PROVIDERS_HREF}?add=true`}
      className="text-link underline underline-offset-2"
    >
      {hasOthers ? "Choose another default model" : "Connect a model"}
    </Link>
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
