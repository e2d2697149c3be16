import { Hash, type LucideIcon, Mail, Send } from "lucide-react";
import { formatMoney } from "@/lib/client/ui/text/format";
import type { TurnedAway } from "@/lib/schema/channels/channel";
import type { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { LinkCost } from "@/lib/schema/channels/channel-link";

export const CHANNEL_NAMES: Readonly<Record<ChannelKind, string>> = {
  telegram: "Telegram",
  slack: "Slack",
  email: "Email",
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

const PERIODS: Readonly<Record<LinkCost["period"], string>> = {
  week: "this week",
  day: "today",
  month: "this month",
  total: "in all",
};

/** "$0.12 of your $2 today"; without a budget "$0.31 this week". */
export function linkCostText({ usd, ofUsd, period }: LinkCost, whose: "your " | ""): string {
  const spent = usd === null ? "unknown cost" : formatMoney(usd);
  return `${spent}${ofUsd === null ? "" : ` of ${whose}${formatMoney(ofUsd)}`} ${PERIODS[period]}`;
}

/** Sums several channels, by kind. */
export function sumTurnedAway(lists: readonly (readonly TurnedAway[])[]): TurnedAway[] {
  const sums = new Map<TurnedAway["kind"], TurnedAway>();
  for (const one of lists.flat()) {
    const known = sums.get(one.kind);
    sums.set(one.kind, { ...one, count: one.count + (known?.count ?? 0), detail: known?.detail ?? one.detail });
  }
  return [...sums.values()];
}
