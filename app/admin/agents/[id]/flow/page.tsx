import type { Metadata } from "next";
import { FlowPage } from "@/components/admin/agents/preview/flow-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Flow" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const services = pageServices();
  const { id } = await params;
  await requireAdminPage(services, `/admin/agents/${encodeURIComponent(id)}/flow`);
  return <FlowPage key={id} agentId={id} />;
}
