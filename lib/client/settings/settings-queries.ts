import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callJson } from "@/lib/client/http/api";
import {
  type ChangeSettingsBody,
  SentMail,
  Settings,
  type TestMailBody,
  TriedMasking,
  TriedRetention,
  type TryMaskingBody,
  type TryRetentionBody,
} from "@/lib/schema/settings/settings";
import { Storage } from "@/lib/schema/settings/storage";
import { Status } from "@/lib/schema/status";

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => callJson(Settings, "/api/settings", { signal }),
});

export const storageQuery = queryOptions({
  queryKey: ["storage"],
  queryFn: ({ signal }) => callJson(Storage, "/api/storage", { signal }),
  staleTime: 60_000,
});

export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: ({ signal }) => callJson(Status, "/api/status", { signal }),
});

export function changeSettings(body: ChangeSettingsBody): Promise<Settings> {
  return callJson(Settings, "/api/settings", { method: "PATCH", body });
}

export function tryMasking(body: TryMaskingBody): Promise<TriedMasking> {
  return callJson(TriedMasking, "/api/settings/masking/try", { method: "POST", body });
}

export function sendTestMail(body: TestMailBody): Promise<SentMail> {
  return callJson(SentMail, "/api/settings/smtp/test", { method: "POST", body });
}

/** The data these times would delete next; refetched when they change. */
export function triedRetentionQuery(retention: TryRetentionBody["retention"] | null) {
  return queryOptions({
    queryKey: ["retention-try", retention],
    queryFn: ({ signal }) =>
      callJson(TriedRetention, "/api/settings/retention/try", { method: "POST", body: { retention }, signal }),
    enabled: retention !== null,
  });
}

/** The settings as somebody else just saved them, from the details of a conflict; null for other details. */
export function settingsIn(details: unknown): Settings | null {
  return Conflict.safeParse(details).data?.current ?? null;
}

const Conflict = z.object({ current: Settings });
