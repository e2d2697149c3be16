import type { Metadata } from "next";
import { ComparePage } from "@/components/trace/compare/compare-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Compare two runs" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  await requirePageViewer(services, "/traces/compare", await searchParams);
  return <ComparePage />;
}
