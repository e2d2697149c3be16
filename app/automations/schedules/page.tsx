import type { Metadata } from "next";
import { SchedulesPage } from "@/components/schedules/schedules-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Schedules" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  await requirePageViewer(services, "/automations/schedules", await searchParams);
  return <SchedulesPage />;
}
