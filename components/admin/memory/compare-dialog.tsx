"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { Select } from "@/components/ui/controls/select";
import { Dialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { patchRows } from "@/lib/client/files/diff-rows";
import { dayLabel, writerOf } from "@/lib/client/memory/memory-labels";
import { memoryDiffQuery, memoryVersionsQuery } from "@/lib/client/memory/memory-queries";
import type { MemoryDetail } from "@/lib/schema/files/memory";

/** Any two versions of a document. */
export function CompareDialog({ current, onClose }: { current: MemoryDetail; onClose: () => void }) {
  const versions = useInfiniteQuery(memoryVersionsQuery(current.id));
  const [from, setFrom] = useState(Math.max(0, current.version - 1));
  const [to, setTo] = useState(current.version);
  const diff = useQuery(memoryDiffQuery(current.id, from, to));
  const options = (versions.data ?? []).map((version) => ({
    id: String(version.version),
    name: `v${version.version}`,
    description: `${writerOf(version)}, ${dayLabel(version.at)}`,
  }));
  const empty = { id: "0", name: "Nothing", description: "The empty document" };
  return (
    <Dialog title={`Compare versions of ${current.path}`} isOpen onClose={onClose} size="lg">
      <div className="mb-3 grid grid-cols-2 gap-3">
        <Select
          label="From"
          options={[...options, empty]}
          value={String(from)}
          onChange={(version) => setFrom(Number(version))}
        />
        <Select label="To" options={options} value={String(to)} onChange={(version) => setTo(Number(version))} />
      </div>
      <QueryState what="comparison" query={diff}>
        {({ patch }) => <Comparison patch={patch} path={current.path} />}
      </QueryState>
    </Dialog>
  );
}

function Comparison({ patch, path }: { patch: string | null; path: string }) {
  if (patch === null) return <p className="text-sm text-muted">One of the two versions is not text.</p>;
  const rows = patchRows(patch);
  if (rows.length === 0) return <p className="text-sm text-muted">Both have the same text.</p>;
  return <Diff rows={rows} path={path} className="max-h-[60vh] rounded-md border border-border" />;
}
