import type { Metadata } from "next";
import { UsersPage } from "@/components/admin/users/users-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "People" };

export default async function Page() {
  const services = pageServices();
  const viewer = await requireAdminPage(services, "/admin/people");
  return <UsersPage viewerId={viewer.id} />;
}
