import type { Metadata } from "next";
import { WebhooksPage } from "@/components/admin/webhooks/webhooks-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Webhooks" };

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/automations/webhooks");
  return <WebhooksPage />;
}
