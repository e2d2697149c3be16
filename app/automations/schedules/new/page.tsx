import type { Metadata } from "next";
import { NewSchedulePage } from "@/components/schedules/schedule-editor-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "New schedule" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  const query = await searchParams;
  await requirePageViewer(services, "/automations/schedules/new", query);
  return <NewSchedulePage template={textOf(query.template)} runId={textOf(query.run)} />;
}

function textOf(value: PageQuery[string]): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
