import type { Metadata } from "next";
import { SchedulesPage } from "@/components/schedules/schedules-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Schedules" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer(processServices(), "/automations/schedules", await searchParams);
  return <SchedulesPage />;
}
