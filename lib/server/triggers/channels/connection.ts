import { AppError } from "@/lib/schema/app-error";
import { ChannelCredentials, ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { channelSecretPurpose, secretBox } from "@/lib/server/platform/secrets/secrets";
import type { Channel, Connection } from "./channel";
import { CHANNEL_KINDS } from "./channel-kinds";

export type ChannelRow = NonNullable<Awaited<ReturnType<Database["channel"]["findUnique"]>>>;
export type LinkRow = NonNullable<Awaited<ReturnType<Database["channelLink"]["findUnique"]>>>;

/** A channel's service, and how to reach it. */
export interface OpenChannel {
  readonly channel: Channel;
  readonly connection: Connection;
}

export async function openChannel(row: ChannelRow): Promise<OpenChannel> {
  const kind = ChannelKind.parse(row.kind);
  const load = CHANNEL_KINDS[kind];
  if (!load) throw new AppError("conflict", `Channels of the kind ${kind} are not part of this version.`);
  return { channel: await load(), connection: connectionOf(row) };
}

export function sealCredentials(channelId: string, credentials: ChannelCredentials): string {
  return secretBox().encrypt(JSON.stringify(credentials), channelSecretPurpose(channelId));
}

function connectionOf(row: ChannelRow): Connection {
  const plain = secretBox().decrypt(row.credentials, channelSecretPurpose(row.id));
  const { allowedPrivateHosts } = env();
  return {
    channelId: row.id,
    name: row.name,
    credentials: ChannelCredentials.parse(JSON.parse(plain)),
    apiRoot: row.apiRoot,
    allowedPrivateHosts,
    username: row.username,
    offset: row.offset,
    hookUrl: hookUrlOf(row.id),
  };
}

/** The address to which the service posts updates. */
export function hookUrlOf(channelId: string): string {
  return `${env().publicUrl.replace(/\/$/, "")}/hooks/channels/${channelId}`;
}
