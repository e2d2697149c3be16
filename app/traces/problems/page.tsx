import type { Metadata } from "next";
import { ProblemsPage } from "@/components/trace/problems/problems-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Problems" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  const viewer = await requirePageViewer(services, "/traces/problems", await searchParams);
  return <ProblemsPage isAdmin={viewer.role === "admin"} />;
}
