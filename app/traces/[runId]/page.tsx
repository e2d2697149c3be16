import type { Metadata } from "next";
import { TracePage } from "@/components/trace/trace-page";
import { traceUrl } from "@/lib/client/trace/trace-queries";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Trace" };

interface PageProps {
  params: Promise<{ runId: string }>;
  searchParams: Promise<PageQuery>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const services = pageServices();
  const { runId } = await params;
  const viewer = await requirePageViewer(services, `/traces/${encodeURIComponent(runId)}`, await searchParams);
  return (
    <>
      {/* The browser fetches the trace while it loads the scripts that draw it. */}
      <link rel="preload" href={traceUrl(runId)} as="fetch" crossOrigin="anonymous" />
      <TracePage key={runId} id={runId} viewerId={viewer.id} />
    </>
  );
}
