"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/states/skeleton";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { YamlCodeProps } from "./yaml-code";

/** The editor is large: it loads when a page shows it. */
const YamlCode = dynamic(async () => (await loadWithRetry(() => import("./yaml-code"))).YamlCode, {
  ssr: false,
  loading: () => (
    <div role="status" aria-label="Loading the editor" className="space-y-2 p-4">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="h-3 w-72" />
      <Skeleton className="h-3 w-56" />
    </div>
  ),
});

export function YamlEditor(props: YamlCodeProps) {
  return <YamlCode {...props} />;
}
