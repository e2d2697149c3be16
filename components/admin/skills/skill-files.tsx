"use client";
import { useQuery } from "@tanstack/react-query";
import { Download, FileText, Folder } from "lucide-react";
import { useState } from "react";
import { QueryState } from "@/components/admin/query-state";
import { PreviewBody } from "@/components/chat/files/file-preview";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Tree, type TreeNode } from "@/components/ui/tree";
import type { FilePreview } from "@/lib/client/files/file-queries";
import { skillFileQuery, skillFileUrl } from "@/lib/client/skills/skill-queries";
import { formatBytes } from "@/lib/client/ui/text/format";
import type { SkillDetail } from "@/lib/schema/skills/skill";

type SkillFile = SkillDetail["files"][number];

/** The files of one version as a tree, the chosen one beside it; SKILL.md first. */
export function SkillFiles({ skill }: { skill: SkillDetail }) {
  const [path, setPath] = useState("SKILL.md");
  const paths = new Set(skill.files.map((file) => file.path));
  const nodes = toTree(skill.files, "");
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-md:flex-col">
      <div className="w-56 shrink-0 overflow-y-auto border-r border-border p-2 max-md:w-full max-md:border-r-0 max-md:border-b">
        <Tree
          label="Files"
          nodes={nodes}
          selectedId={path}
          onSelect={(id) => (paths.has(id) ? setPath(id) : undefined)}
          defaultExpandedIds={nodes.map(({ id }) => id)}
        />
      </div>
      <SkillFileView name={skill.name} version={skill.shownVersion} path={path} />
    </div>
  );
}

function SkillFileView({ name, version, path }: { name: string; version: number; path: string }) {
  const file = useQuery(skillFileQuery(name, path, version));
  return (
    <section aria-label={path} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex h-10 shrink-0 items-center gap-2 border-b border-separator pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-mono text-xs">{path}</h2>
        <a
          href={skillFileUrl(name, path, version)}
          download
          className="inline-flex h-7 items-center gap-1.5 rounded-md px-2.5 text-xs font-medium touch-row hover:bg-default"
        >
          <Download className="size-[15px]" aria-hidden /> Download
        </a>
      </header>
      <div className="min-h-0 flex-1 overflow-auto">
        <QueryState what="file" query={file}>
          {(preview) => <SkillFileBody preview={preview} path={path} />}
        </QueryState>
      </div>
    </section>
  );
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Front matter as it is written, because markdown would read it as a heading. */
function SkillFileBody({ preview, path }: { preview: FilePreview; path: string }) {
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

/** Folders first, each with what is below it. */
function toTree(files: readonly SkillFile[], folder: string): TreeNode[] {
  const names = new Map<string, SkillFile[]>();
  const leaves: TreeNode[] = [];
  for (const file of files) {
    const [name = "", ...rest] = file.path.slice(folder.length).split("/");
    if (rest.length > 0) names.set(name, [...(names.get(name) ?? []), file]);
    else
      leaves.push({
        id: file.path,
        label: name,
        icon: <FileText className={ICON} aria-hidden />,
        facts: formatBytes(file.sizeBytes),
      });
  }
  const folders = [...names].map(([name, inside]) => {
    const path = `${folder}${name}/`;
    return { id: path, label: name, icon: <Folder className={ICON} aria-hidden />, children: toTree(inside, path) };
  });
  return [...folders, ...leaves];
}

const ICON = "size-3.5 shrink-0 text-muted";
