import type { Metadata } from "next";
import { TraceListPage } from "@/components/trace/list/trace-list-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Traces" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  const viewer = await requirePageViewer(services, "/traces", await searchParams);
  return <TraceListPage isAdmin={viewer.role === "admin"} />;
}
