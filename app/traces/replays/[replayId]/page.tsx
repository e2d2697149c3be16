import type { Metadata } from "next";
import { ReplayPage } from "@/components/trace/replay/replay-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Replay" };

interface PageProps {
  params: Promise<{ replayId: string }>;
  searchParams: Promise<PageQuery>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { replayId } = await params;
  await requirePageViewer(processServices(), `/traces/replays/${encodeURIComponent(replayId)}`, await searchParams);
  return <ReplayPage key={replayId} id={replayId} />;
}
