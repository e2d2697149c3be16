import type { Metadata } from "next";
import { NewAgentPage } from "@/components/admin/agents/new/new-agent-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "New agent" };

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/admin/agents/new");
  return <NewAgentPage />;
}
