"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Cards that most threads do not show; they are loaded on demand. */
export const ApprovalCard = dynamic(async () => (await loadWithRetry(() => import("./approval-card"))).ApprovalCard, {
  loading: () => null,
});
export const BudgetCard = dynamic(async () => (await loadWithRetry(() => import("./budget-card"))).BudgetCard, {
  loading: () => null,
});
export const ConnectCard = dynamic(async () => (await loadWithRetry(() => import("./connect-card"))).ConnectCard, {
  loading: () => null,
});
