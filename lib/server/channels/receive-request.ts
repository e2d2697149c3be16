import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { ANONYMOUS_PROBLEMS, checkRate, clientKey, countRate } from "@/lib/server/http/rate-limit";
import type { Services } from "@/lib/server/platform/services";
import { ChannelForged } from "@/lib/server/triggers/channels/channel";
import { openChannel } from "@/lib/server/triggers/channels/connection";
import { rejectUpdate } from "@/lib/server/triggers/channels/rejected-updates";
import { receiveUpdate } from "./receive-update";
import type { ChannelPorts } from "./received";

/**
 * Handles a request to the hook of a channel. Throws `not_found`, `unauthorized` for a request not signed by the
 * service.
 */
export async function receiveRequest(
  services: Services,
  channelId: string,
  request: { readonly headers: Headers; readonly body: Uint8Array },
  ports: ChannelPorts,
): Promise<Response> {
  const now = new Date();
  const client = clientKey(request.headers);
  await checkRate(services, ANONYMOUS_PROBLEMS, client);
  const row = await services.database.channel.findFirst({ where: { id: channelId, enabled: true } });
  if (!row) throw new AppError("not_found", "There is no such channel.");
  const { channel, connection } = await openChannel(row);
  try {
    const { updates, response } = await channel.parse(connection, request);
    for (const update of updates) await receiveUpdate(services, channelId, update, { ports, now });
    return response;
  } catch (error) {
    if (!(error instanceof ChannelForged)) throw error;
    await countRate(services, ANONYMOUS_PROBLEMS, client);
    await rejectUpdate(services.database, { channelId, kind: "signature", detail: error.message, now });
    throw new AppError("unauthorized", error.message);
  }
}
