import { Hash, type LucideIcon, Mail, Send } from "lucide-react";
import type { TurnedAway } from "@/lib/schema/channels/channel";
import type { ChannelKind } from "@/lib/schema/channels/channel-credentials";

export const CHANNEL_NAMES: Readonly<Record<ChannelKind, string>> = {
  telegram: "Telegram",
  slack: "Slack",
  email: "E-mail",
};

/** The service's name, as it appears mid-sentence. */
export const SERVICE_NAMES: Readonly<Record<ChannelKind, string>> = { ...CHANNEL_NAMES, email: "the mail server" };

export const CHANNEL_ICONS: Readonly<Record<ChannelKind, LucideIcon>> = { telegram: Send, slack: Hash, email: Mail };

export const AWAY_NAMES: Readonly<Record<TurnedAway["kind"], string>> = {
  stranger: "Unknown sender",
  other_person: "Another person’s button",
  forged: "Unknown button",
  repeat: "Repeated update",
  signature: "Bad signature",
  paused: "Paused owner",
  refused: "Refused sender",
};

/** Sums several channels, by kind. */
export function sumTurnedAway(lists: readonly (readonly TurnedAway[])[]): TurnedAway[] {
  const sums = new Map<TurnedAway["kind"], TurnedAway>();
  for (const one of lists.flat()) {
    const known = sums.get(one.kind);
    sums.set(one.kind, { ...one, count: one.count + (known?.count ?? 0), detail: known?.detail ?? one.detail });
  }
  return [...sums.values()];
}
