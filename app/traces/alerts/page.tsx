import type { Metadata } from "next";
import { AlertsPage } from "@/components/trace/alerts/alerts-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Alerts" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  await requirePageViewer(services, "/traces/alerts", await searchParams);
  return <AlertsPage />;
}
