import type { Metadata } from "next";
import { UsersPage } from "@/components/admin/users/users-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "People" };

export default async function Page() {
  const viewer = await requireAdminPage(processServices(), "/admin/people");
  return <UsersPage viewerId={viewer.id} />;
}
