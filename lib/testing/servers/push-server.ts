import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { PushMessage } from "@/lib/schema/users/notification";

/** For 127.0.0.1, self-signed, valid for a hundred years. */
export const PUSH_CERTIFICATE = path.resolve("lib/testing/servers/push-certificate.pem");
const KEY = path.resolve("lib/testing/servers/push-key.pem");

/** A push as received by the service, and as read by its browser. */
interface ReceivedPush {
  readonly browser: string;
  readonly message: PushMessage;
}

export interface PushServer {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly received: ReceivedPush[];
  /** The status to answer with from now on, per browser. */
  readonly statuses: Map<string, number>;
  /** The result of the browser's `PushSubscription.toJSON()`, for the given name. */
  subscribe(browser: string): {
    readonly name: string;
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  close(): Promise<void>;
}

/** A push service over TLS with its own browsers: it authenticates the sender (RFC 8292) and decrypts (RFC 8291). */
export async function startPushServer(port = 0): Promise<PushServer> {
  const cert = readFileSync(PUSH_CERTIFICATE, "utf8");
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert]);
  const browsers = new Map<string, { readonly curve: ReturnType<typeof createECDH>; readonly auth: Buffer }>();
  const server = createServer({ cert, key: readFileSync(KEY) }, async (request, reply) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const name = decodeURIComponent(request.url?.slice(1) ?? "");
    const browser = browsers.get(name);
    const isKnown = isSender(request.headers.authorization ?? "", `https://${push.host}`);
    const status = browser ? (isKnown ? (push.statuses.get(name) ?? 201) : 403) : 404;
    if (browser && status === 201) {
      const message = PushMessage.parse(JSON.parse(decrypt(Buffer.concat(parts), browser)));
      push.received.push({ browser: name, message });
    }
    reply.writeHead(status).end(status === 201 ? "" : "the service has a bad day");
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const push: PushServer = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    statuses: new Map(),
    subscribe(name) {
      const curve = createECDH("prime256v1");
      const p256dh = curve.generateKeys().toString("base64url");
      const auth = randomBytes(16);
      browsers.set(name, { curve, auth });
      return {
        name,
        endpoint: `https://${push.host}/${encodeURIComponent(name)}`,
        keys: { p256dh, auth: auth.toString("base64url") },
      };
    },
    close() {
      setDefaultCACertificates(trusted);
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return push;
}

/** Whether the token is signed with the key that it names, for this service. */
function isSender(authorization: string, origin: string): boolean {
  const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signed = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  const isSigned = verify("sha256", Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, "base64url"));
  const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as { aud: string; exp: number; sub: string };
  return isSigned && claims.aud === origin && claims.exp > Date.now() / 1_000 && /^(mailto|https):/.test(claims.sub);
}

function decrypt(body: Buffer, { curve, auth }: { curve: ReturnType<typeof createECDH>; auth: Buffer }): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + (body[20] ?? 0));
  const sealed = body.subarray(21 + sender.length);
  const derive = (secret: Uint8Array, from: Uint8Array, info: Buffer, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, from, info, length));
  const about = Buffer.concat([Buffer.from("WebPush: info\0"), curve.getPublicKey(), sender]);
  const secret = derive(curve.computeSecret(sender), auth, about, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // Removes the padding: a byte of 2, then zeros.
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
