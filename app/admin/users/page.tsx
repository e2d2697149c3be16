import type { Metadata } from "next";
import { UsersPage } from "@/components/admin/users/users-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Users" };

export default async function Page() {
  const viewer = await requireAdminPage("/admin/users");
  return <UsersPage viewerId={viewer.id} />;
}
