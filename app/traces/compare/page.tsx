import type { Metadata } from "next";
import { ComparePage } from "@/components/trace/compare/compare-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Compare two runs" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer(processServices(), "/traces/compare", await searchParams);
  return <ComparePage />;
}
