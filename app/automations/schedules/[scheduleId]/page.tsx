import type { Metadata } from "next";
import { ScheduleEditorPage } from "@/components/schedules/schedule-editor-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Schedule" };

interface PageProps {
  params: Promise<{ scheduleId: string }>;
  searchParams: Promise<PageQuery>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { scheduleId } = await params;
  await requirePageViewer(
    processServices(),
    `/automations/schedules/${encodeURIComponent(scheduleId)}`,
    await searchParams,
  );
  return <ScheduleEditorPage key={scheduleId} id={decodeURIComponent(scheduleId)} />;
}
