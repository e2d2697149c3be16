import type { Metadata } from "next";
import { ProblemsPage } from "@/components/trace/problems/problems-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Problems" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const viewer = await requirePageViewer("/traces/problems", await searchParams);
  return <ProblemsPage isAdmin={viewer.role === "admin"} />;
}
