"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { Select } from "@/components/ui/controls/select";
import { Dialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { Tag } from "@/components/ui/tag";
import { patchRows } from "@/lib/client/files/diff-rows";
import { skillDiffQuery } from "@/lib/client/skills/skill-queries";
import type { SkillDetail, SkillDiff } from "@/lib/schema/skills/skill";

/** Any two versions of a skill, file by file. */
export function SkillCompareDialog({ skill, onClose }: { skill: SkillDetail; onClose: () => void }) {
  const [to, setTo] = useState(skill.shownVersion);
  const [from, setFrom] = useState(Math.max(0, skill.shownVersion - 1));
  const diff = useQuery(skillDiffQuery(skill.name, from, to));
  const options = skill.versions.map(({ number, createdByName, source }) => ({
    id: String(number),
    name: `v${number}`,
    description: [createdByName, source].filter(Boolean).join(", "),
  }));
  const empty = { id: "0", name: "Nothing", description: "No files" };
  return (
    <Dialog title={`Compare versions of ${skill.name}`} isOpen onClose={onClose} size="lg">
      <div className="mb-3 grid grid-cols-2 gap-3">
        <Select
          label="From"
          options={[...options, empty]}
          value={String(from)}
          onChange={(id) => setFrom(Number(id))}
        />
        <Select label="To" options={options} value={String(to)} onChange={(id) => setTo(Number(id))} />
      </div>
      <QueryState what="comparison" query={diff}>
        {({ files }) =>
          files.length === 0 ? (
            <p className="text-sm text-muted">Both have the same files.</p>
          ) : (
            <ul className="flex flex-col gap-3">
              {files.map((file) => (
                <ChangedFile key={file.path} file={file} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </Dialog>
  );
}

function ChangedFile({ file: { path, change, patch } }: { file: SkillDiff["files"][number] }) {
  return (
    <li className="overflow-hidden rounded-md border border-border">
      <h3 className="flex h-8 items-center gap-2 border-b border-separator px-3 font-mono text-xs">
        <span className="min-w-0 flex-1 truncate">{path}</span>
        <Tag>{change}</Tag>
      </h3>
      {patch === null ? (
        <p className="p-3 text-xs text-muted">One of the two versions is not text.</p>
      ) : (
        <Diff rows={patchRows(patch)} path={path} className="max-h-80" />
      )}
    </li>
  );
}
