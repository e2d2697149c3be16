import { createECDH } from "node:crypto";
import { z } from "zod";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { selectSetting } from "@/lib/server/platform/db/queries/settings";
import { secretBox, VAPID_PURPOSE } from "@/lib/server/platform/secrets/secrets";

/** The setting that holds the key pair of web push. */
export const VAPID_SETTING = "push:vapid";

export const StoredVapid = z.object({ publicKey: z.string(), sealed: z.string() });

interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The installation's key pair for web push (VAPID), created on first use. The push services identify the installation
 * by it, and browsers subscribe with its public key. Throws `SecretUnreadable`.
 */
export async function vapidKeys(database: Database): Promise<VapidKeys> {
  const stored = (await selectSetting(database, VAPID_SETTING)) ?? (await createKeys(database));
  const { publicKey, sealed } = StoredVapid.parse(JSON.parse(stored));
  return { publicKey, privateKey: secretBox().decrypt(sealed, VAPID_PURPOSE) };
}

async function createKeys(database: Database): Promise<string> {
  const curve = createECDH("prime256v1");
  const publicKey = curve.generateKeys().toString("base64url");
  // A key may begin with zeros, which `getPrivateKey` omits.
  const privateKey = Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()])
    .subarray(-32)
    .toString("base64url");
  const value = JSON.stringify({ publicKey, sealed: secretBox().encrypt(privateKey, VAPID_PURPOSE) });
  try {
    await database.setting.create({ data: { key: VAPID_SETTING, value }, select: { key: true } });
    return value;
  } catch (error) {
    // Another request won the race.
    const first = isTaken(error) ? await selectSetting(database, VAPID_SETTING) : undefined;
    if (first === undefined) throw error;
    return first;
  }
}
