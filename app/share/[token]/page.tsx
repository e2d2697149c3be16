import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { ShareView } from "@/components/share/share-view";
import { AppError } from "@/lib/schema/app-error";
import { findPageViewer, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { areSharesPublic, openShare } from "@/lib/server/threads/shares/open-share";
import { pageServices } from "@/lib/server/wiring/page-services";

interface PageProps {
  params: Promise<{ token: string }>;
}

export const metadata: Metadata = {
  title: "Shared thread",
  robots: { index: false, follow: false },
  referrer: "no-referrer",
};

export default async function SharePage({ params }: PageProps) {
  const services = pageServices();
  const { token } = await params;
  const viewer = areSharesPublic()
    ? await findPageViewer(services)
    : await requirePageViewer(services, `/share/${token}`);
  const visitor = { viewer, headers: await headers() };
  const first = await openShare(services, token, visitor, 0).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  });
  return <ShareView token={token} first={first} />;
}
