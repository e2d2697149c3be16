import type { Metadata } from "next";
import { TracePage } from "@/components/trace/trace-page";
import { requirePageViewer } from "@/lib/server/page-viewer";

export const metadata: Metadata = { title: "Trace" };

export default async function Page({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  const viewer = await requirePageViewer(`/traces/${encodeURIComponent(runId)}`);
  return <TracePage key={runId} id={runId} viewerId={viewer.id} />;
}
