import { AdminNotFound } from "@/components/admin/admin-not-found";
import { findPageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export default async function NotFound() {
  return <AdminNotFound viewer={await findPageViewer(processServices())} />;
}
