"use client";
import dynamic from "next/dynamic";
import { Section } from "@/components/ui/section";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

export const LazyFilesView = dynamic(async () => (await loadWithRetry(() => import("./files-view"))).FilesView, {
  loading: FilesLoading,
});

/** The room that a few files will take. */
export function FilesLoading() {
  return (
    <Section title="Files" extra={<span className="size-6" />}>
      <SkeletonList label="Loading files" rows={3} rowHeight={28} className="-mx-2 divide-y-0" />
    </Section>
  );
}
