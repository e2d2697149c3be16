"use client";
import { useQuery } from "@tanstack/react-query";
import { Download, FileText, Folder, Pencil } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { Tree, type TreeNode } from "@/components/ui/tree";
import { skillFileQuery, skillFileUrl } from "@/lib/client/skills/skill-queries";
import { useSkillEdit } from "@/lib/client/skills/use-skill-edit";
import { formatBytes } from "@/lib/client/ui/text/format";
import type { SkillDetail } from "@/lib/schema/skills/skill";
import { SkillEditor } from "./skill-editor";
import { SkillFileBody } from "./skill-file-body";
import { AddSkillFile, RemoveSkillFile } from "./skill-file-changes";

type SkillFile = SkillDetail["files"][number];

/**
 * The files of one version as a tree, with the chosen one beside it; SKILL.md first. Those of the current one can be
 * changed.
 */
export function SkillFiles({ skill }: { skill: SkillDetail }) {
  const [path, setPath] = useState("SKILL.md");
  const paths = new Set(skill.files.map((file) => file.path));
  const nodes = toTree(skill.files, "");
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-md:flex-col">
      <div className="flex w-56 shrink-0 flex-col overflow-y-auto border-r border-border p-2 max-md:w-full max-md:border-r-0 max-md:border-b">
        <Tree
          label="Files"
          nodes={nodes}
          selectedId={path}
          onSelect={(id) => (paths.has(id) ? setPath(id) : undefined)}
          defaultExpandedIds={nodes.map(({ id }) => id)}
        />
        {skill.shownVersion === skill.version ? <AddSkillFile skill={skill} onAdded={setPath} /> : null}
      </div>
      <SkillFileView key={path} skill={skill} path={path} onRemoved={() => setPath("SKILL.md")} />
    </div>
  );
}

interface SkillFileViewProps {
  skill: SkillDetail;
  path: string;
  onRemoved: () => void;
}

function SkillFileView({ skill, path, onRemoved }: SkillFileViewProps) {
  const file = useQuery(skillFileQuery(skill.name, path, skill.shownVersion));
  const edit = useSkillEdit(skill, path);
  const preview = file.data;
  const text = preview?.kind === "text" || preview?.kind === "markdown" ? preview.text : null;
  const isEditing = skill.shownVersion === skill.version && edit.text !== null;
  return (
    <section aria-label={path} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex h-10 shrink-0 items-center gap-1 border-b border-separator pr-2 pl-4 pointer-coarse:h-14">
        <h2 className="min-w-0 flex-1 truncate font-mono text-xs">{path}</h2>
        {isEditing ? (
          <>
            <Button variant="ghost" onPress={edit.discard}>
              Discard
            </Button>
            <Button variant="primary" isPending={edit.isSaving} isDisabled={edit.text === text} onPress={edit.save}>
              Save
            </Button>
          </>
        ) : (
          <FileActions
            skill={skill}
            path={path}
            onRemoved={onRemoved}
            onEdit={text === null ? null : () => edit.begin(text)}
          />
        )}
      </header>
      {isEditing ? (
        <SkillEditor edit={edit} path={path} current={text} />
      ) : (
        <div className="min-h-0 flex-1 overflow-auto">
          <QueryState what="file" query={file}>
            {(found) => <SkillFileBody preview={found} path={path} />}
          </QueryState>
        </div>
      )}
    </section>
  );
}

/** `onEdit` is null if the file is not text. */
function FileActions({ skill, path, onRemoved, onEdit }: SkillFileViewProps & { onEdit: (() => void) | null }) {
  const isCurrent = skill.shownVersion === skill.version;
  return (
    <>
      {isCurrent && onEdit !== null ? (
        <Button variant="ghost" onPress={onEdit}>
          <Pencil aria-hidden /> Edit
        </Button>
      ) : null}
      {isCurrent && path !== "SKILL.md" ? <RemoveSkillFile skill={skill} path={path} onRemoved={onRemoved} /> : null}
      <a
        href={skillFileUrl(skill.name, path, skill.shownVersion)}
        download
        className="inline-flex h-7 items-center gap-1.5 rounded-md px-2.5 text-xs font-medium touch-row hover:bg-default"
      >
        <Download className="size-[15px]" aria-hidden /> Download
      </a>
    </>
  );
}

/** Folders first, each with its contents. */
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
