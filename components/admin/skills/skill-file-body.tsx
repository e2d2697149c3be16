"use client";
import { PreviewBody } from "@/components/chat/files/file-preview";
import { CodeBlock } from "@/components/ui/code/code-block";
import type { FilePreview } from "@/lib/client/files/file-queries";

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Shows front matter verbatim, because Markdown would read it as a heading. */
export function SkillFileBody({ preview, path }: { preview: FilePreview; path: string }) {
  const found = preview.kind === "markdown" ? FRONT_MATTER.exec(preview.text) : null;
  if (preview.kind !== "markdown" || found === null) return <PreviewBody preview={preview} path={path} />;
  return (
    <>
      <div className="border-b border-separator">
        <CodeBlock isBare wrap code={found[1] ?? ""} title="front matter.yaml" />
      </div>
      <PreviewBody preview={{ ...preview, text: preview.text.slice(found[0].length) }} path={path} />
    </>
  );
}
