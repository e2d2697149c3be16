import type { Metadata } from "next";
import { AgentsPage } from "@/components/admin/agents/list/agents-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Agents" };

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/admin/agents");
  return <AgentsPage />;
}
