import type { Metadata } from "next";
import { ProblemsPage } from "@/components/trace/problems/problems-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Problems" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const viewer = await requirePageViewer(processServices(), "/traces/problems", await searchParams);
  return <ProblemsPage isAdmin={viewer.role === "admin"} />;
}
