import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuidePage } from "@/components/guide/guide-page";
import { readGuideIndex, readGuidePage } from "@/lib/server/pages/guide";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

interface PageProps {
  params: Promise<{ page: string[] }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const found = await readGuidePage((await params).page.join("/"));
  return { title: found?.title ?? "Guide" };
}

export default async function Page({ params }: PageProps) {
  const services = pageServices();
  const path = (await params).page.join("/");
  await requirePageViewer(services, `/guide/${path}`);
  const [sections, found] = await Promise.all([readGuideIndex(), readGuidePage(path)]);
  if (!found) notFound();
  return <GuidePage sections={sections} shown={{ path, ...found }} />;
}
