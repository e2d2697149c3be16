import { AdminNotFound } from "@/components/admin/admin-not-found";

export default function NotFound() {
  return <AdminNotFound />;
}
