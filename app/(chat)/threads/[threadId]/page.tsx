import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LazyThreadPage } from "@/components/chat/lazy-thread-page";
import { AppError } from "@/lib/schema/app-error";
import { requirePageFrame } from "@/lib/server/pages/page-viewer";
import { getThread } from "@/lib/server/threads/get-thread";
import { pageServices } from "@/lib/server/wiring/page-services";

interface PageProps {
  params: Promise<{ threadId: string }>;
}

export const metadata: Metadata = { title: "Thread" };

export default async function Page({ params }: PageProps) {
  const services = pageServices();
  const { threadId } = await params;
  const { viewer, feedRevision } = await requirePageFrame(services, `/threads/${threadId}`);
  const detail = await getThread(services, threadId, viewer).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  });
  return <LazyThreadPage key={threadId} initialDetail={detail} feedRevision={feedRevision} />;
}
