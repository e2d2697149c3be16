import type { Metadata } from "next";
import { ProvidersPage } from "@/components/admin/providers/providers-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Models" };

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/admin/models");
  return <ProvidersPage />;
}
