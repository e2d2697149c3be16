"use client";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Plus, Trash2 } from "lucide-react";
import Link from "next/link";
import { useRef, useState } from "react";
import { AgentLinks } from "@/components/admin/agents/agent-links";
import { WorkspaceSkills } from "@/components/admin/agents/workspace-skills";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Menu } from "@/components/ui/overlays/menu";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { installedSkillsQuery } from "@/lib/client/skills/skill-queries";
import { useDeleteSkill, useSkillUpload } from "@/lib/client/skills/use-skills";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import type { InstalledSkill } from "@/lib/schema/skills/skill";
import { NewSkillDialog } from "./new-skill-dialog";
import { SkillDropArea, SkillUploadButtons } from "./skill-upload";

const COLUMNS = [
  { id: "name", label: "Skill" },
  { id: "description", label: "What it is for", className: "w-full max-md:hidden" },
  { id: "used", label: "Used by", className: "max-lg:hidden" },
  { id: "source", label: "Source", className: "max-lg:hidden" },
  { id: "files", label: "Files", align: "right", className: "max-md:hidden" },
  { id: "version", label: "Version", align: "right" },
  { id: "updated", label: "Installed", align: "right", className: "max-sm:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

const PAGE_KEYS = [
  { keys: "c", does: "New skill" },
  { keys: "j k", does: "Next and previous skill" },
  { keys: "Enter", does: "Open the skill" },
] as const;

/** The installed skills, and those in the viewer's own workspaces. */
export function SkillsPage() {
  const skills = useQuery(installedSkillsQuery);
  const upload = useSkillUpload();
  const [isAdding, setAdding] = useState(false);
  const page = useRef<HTMLElement>(null);
  usePageKeys(PAGE_KEYS);
  useRowKeys(page, { others: { c: () => setAdding(true) } });
  return (
    <Page ref={page}>
      <PageHead
        title="Skills"
        actions={
          <>
            <Button onPress={() => setAdding(true)}>
              <Plus aria-hidden />
              New skill
            </Button>
            <SkillUploadButtons upload={upload} />
          </>
        }
      />
      {isAdding ? (
        <NewSkillDialog known={(skills.data ?? []).map(({ name }) => name)} onClose={() => setAdding(false)} />
      ) : null}
      <SkillDropArea upload={upload}>
        <QueryState what="skills" query={skills}>
          {(found) => (found.length === 0 ? <NoSkills /> : <SkillTable skills={found} />)}
        </QueryState>
        <WorkspaceSkills />
      </SkillDropArea>
    </Page>
  );
}

function NoSkills() {
  return (
    <EmptyState title="No skills installed" className="h-auto! py-16">
      A skill is a folder with a SKILL.md: instructions that agents read when a task calls for them. Create one, upload
      a zip or a folder, or drop it here.
    </EmptyState>
  );
}

function SkillTable({ skills }: { skills: readonly InstalledSkill[] }) {
  const { remove } = useDeleteSkill();
  return (
    <Table label="Installed skills">
      <TableHead columns={COLUMNS} />
      <tbody>
        {skills.map((skill) => (
          <SkillRow key={skill.name} skill={skill} onDelete={() => void remove(skill.name)} />
        ))}
      </tbody>
    </Table>
  );
}

function SkillRow({ skill, onDelete }: { skill: InstalledSkill; onDelete: () => void }) {
  return (
    <TableRow>
      <TableCell className="max-md:w-full max-md:max-w-0 max-md:py-1.5">
        <Link href={`/admin/skills/${skill.name}`} className="font-medium after:absolute after:inset-0">
          {skill.name}
        </Link>
        <span className="block truncate text-xs text-muted md:hidden">{skill.description}</span>
      </TableCell>
      <TableCell className="max-w-0 truncate text-muted max-md:hidden">{skill.description}</TableCell>
      <TableCell className="max-lg:hidden">
        <AgentLinks agents={skill.usedBy} />
      </TableCell>
      <TableCell className="text-muted max-lg:hidden">{skill.source}</TableCell>
      <TableCell align="right" className="text-muted max-md:hidden">
        {skill.fileCount}
      </TableCell>
      <TableCell align="right">v{skill.version}</TableCell>
      <TableCell align="right" className="text-muted max-sm:hidden">
        <Time at={skill.updatedAt} />
      </TableCell>
      <TableCell align="right" className="relative">
        <Menu
          label={`Actions for ${skill.name}`}
          trigger={
            <IconButton label={`Actions for ${skill.name}`}>
              <Ellipsis />
            </IconButton>
          }
          actions={[
            { id: "delete", label: "Delete", icon: <Trash2 aria-hidden />, isDanger: true, onAction: onDelete },
          ]}
        />
      </TableCell>
    </TableRow>
  );
}
