import type { Metadata } from "next";
import { ReplayPage } from "@/components/trace/replay/replay-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Replay" };

interface PageProps {
  params: Promise<{ replayId: string }>;
  searchParams: Promise<PageQuery>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const services = pageServices();
  const { replayId } = await params;
  await requirePageViewer(services, `/traces/replays/${encodeURIComponent(replayId)}`, await searchParams);
  return <ReplayPage key={replayId} id={replayId} />;
}
