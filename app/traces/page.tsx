import type { Metadata } from "next";
import { TraceListPage } from "@/components/trace/list/trace-list-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Traces" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const viewer = await requirePageViewer(processServices(), "/traces", await searchParams);
  return <TraceListPage isAdmin={viewer.role === "admin"} />;
}
