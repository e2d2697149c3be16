import type { Metadata } from "next";
import { MemoryPage } from "@/components/admin/memory/memory-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Memory" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const services = pageServices();
  const { id } = await params;
  const viewer = await requireAdminPage(services, `/admin/agents/${encodeURIComponent(id)}/memory`);
  return <MemoryPage key={id} agentId={decodeURIComponent(id)} viewer={{ id: viewer.id, name: viewer.name }} />;
}
