import type { Metadata } from "next";
import { MemoryPage } from "@/components/admin/memory/memory-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Memory" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  const viewer = await requireAdminPage(processServices(), `/admin/agents/${encodeURIComponent(id)}/memory`);
  return <MemoryPage key={id} agentId={decodeURIComponent(id)} viewer={{ id: viewer.id, name: viewer.name }} />;
}
