import type { Metadata } from "next";
import { ScheduleEditorPage } from "@/components/schedules/schedule-editor-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Schedule" };

interface PageProps {
  params: Promise<{ scheduleId: string }>;
  searchParams: Promise<PageQuery>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const services = pageServices();
  const { scheduleId } = await params;
  await requirePageViewer(services, `/automations/schedules/${encodeURIComponent(scheduleId)}`, await searchParams);
  return <ScheduleEditorPage key={scheduleId} id={decodeURIComponent(scheduleId)} />;
}
