"use client";
import { useQuery } from "@tanstack/react-query";
import { GitCompare, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ListCrumb } from "@/components/admin/list-crumb";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { restoreSkillVersion, skillQuery } from "@/lib/client/skills/skill-queries";
import { useDeleteSkill } from "@/lib/client/skills/use-skills";
import { classNames } from "@/lib/client/ui/class-names";
import { formatBytes } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { SkillDetail, SkillVersion } from "@/lib/schema/skills/skill";
import { SkillCompareDialog } from "./skill-compare";
import { SkillFiles } from "./skill-files";
import { SkillFormat, SkillPrompt } from "./skill-prompt";

/** One installed skill: its files, and every installed version. */
export function SkillPage({ name }: { name: string }) {
  const router = useRouter();
  const [version, setVersion] = useState<number | undefined>(undefined);
  const [isComparing, setComparing] = useState(false);
  const skill = useQuery({ ...skillQuery(name, version), placeholderData: (previous) => previous });
  const { remove, isDeleting } = useDeleteSkill();
  const restore = useAction({
    mutationFn: (old: number) => restoreSkillVersion(name, old),
    onSuccess: (restored, old) => {
      setVersion(undefined);
      showToast({ title: `${name} is now version ${restored.version}, with the files of v${old}` });
    },
    invalidates: [SKILLS_KEY],
  });
  const onDelete = async () => {
    if (await remove(name)) router.push("/admin/skills");
  };
  return (
    <Page>
      <PageHead
        lead={<ListCrumb href="/admin/skills">Skills</ListCrumb>}
        title={name}
        facts={skill.data ? <Tag>v{skill.data.shownVersion}</Tag> : null}
        actions={
          <>
            <Button onPress={() => setComparing(true)} isDisabled={!skill.data} className="max-sm:hidden">
              <GitCompare aria-hidden />
              Compare
            </Button>
            {skill.data && skill.data.shownVersion !== skill.data.version ? (
              <Button onPress={() => restore.mutate(skill.data.shownVersion)} isPending={restore.isPending}>
                Restore v{skill.data.shownVersion}
              </Button>
            ) : null}
            <Button variant="danger-ghost" isPending={isDeleting} onPress={() => void onDelete()}>
              <Trash2 aria-hidden />
              Delete
            </Button>
          </>
        }
      />
      {skill.data && isComparing ? <SkillCompareDialog skill={skill.data} onClose={() => setComparing(false)} /> : null}
      <QueryState what="skill" query={skill}>
        {(found) => (
          <div className="flex min-h-0 flex-1 overflow-hidden max-lg:flex-col max-lg:overflow-y-auto">
            <SkillFiles key={found.shownVersion === found.version ? 0 : found.shownVersion} skill={found} />
            <SkillSummary skill={found} onVersion={setVersion} />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

function SkillSummary({ skill, onVersion }: { skill: SkillDetail; onVersion: (version: number | undefined) => void }) {
  return (
    <aside
      aria-label="About the skill"
      className="w-72 shrink-0 overflow-y-auto border-l border-border bg-background max-lg:w-full max-lg:overflow-visible max-lg:border-t max-lg:border-l-0"
    >
      <section className="border-b border-separator p-4 text-sm">
        <p className="text-muted">{skill.description}</p>
        <SkillFormat skill={skill} />
      </section>
      <SkillPrompt name={skill.name} />
      <section>
        <h2 className="px-4 pt-3 pb-1 text-xs text-muted">Versions</h2>
        <ol className="divide-y divide-separator">
          {skill.versions.map((version) => (
            <VersionRow
              key={version.number}
              version={version}
              isShown={version.number === skill.shownVersion}
              onOpen={() => onVersion(version.current ? undefined : version.number)}
            />
          ))}
        </ol>
      </section>
    </aside>
  );
}

interface VersionRowProps {
  version: SkillVersion;
  isShown: boolean;
  onOpen: () => void;
}

function VersionRow({ version, isShown, onOpen }: VersionRowProps) {
  const size = `${version.fileCount} ${version.fileCount === 1 ? "file" : "files"}, ${formatBytes(version.sizeBytes)}`;
  return (
    <li>
      <button
        type="button"
        aria-current={isShown ? "true" : undefined}
        onClick={onOpen}
        className={classNames("block w-full px-4 py-2 text-left hover:bg-default", isShown && "bg-selection")}
      >
        <span className="flex items-center gap-2 text-sm">
          <span className="tnum font-medium">v{version.number}</span>
          {version.current ? <Tag>current</Tag> : null}
          <span className="ml-auto text-xs text-muted">
            <Time at={version.createdAt} />
          </span>
        </span>
        <span className="block truncate text-xs text-muted">
          {[version.createdByName, version.source, size].filter(Boolean).join(" · ")}
        </span>
      </button>
    </li>
  );
}
