import type { Metadata } from "next";
import { AlertsPage } from "@/components/trace/alerts/alerts-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Alerts" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer(processServices(), "/traces/alerts", await searchParams);
  return <AlertsPage />;
}
