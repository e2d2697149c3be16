import { z } from "zod";
import { isLoopback } from "@/lib/schema/loopback";
import { newSecret } from "@/lib/schema/new-secret";
import { plainText } from "@/lib/schema/plain-text";
import { Role } from "./user";

/** Loopback may be plain HTTP; every other issuer needs TLS. */
const Issuer = z
  .url()
  .max(500)
  .refine((url) => {
    const { protocol, hostname, search, hash } = new URL(url);
    const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
    return search === "" && hash === "" && isSafe;
  }, "must be an https address without a query");

/** A rule for people in the identity provider's `group`: they get a role, a group here, or both. */
const OidcRule = z.strictObject({
  group: plainText(200),
  role: Role.optional(),
  groupId: z.string().min(1).max(100).optional(),
});

const Fields = {
  /** The name after "Continue with" on the sign-in page's button. */
  name: plainText(60),
  issuer: Issuer,
  clientId: plainText(300),
  /** The claim with a person's groups: a list of strings, or one string. */
  groupClaim: plainText(200),
  groups: z.array(OidcRule).max(200),
  /** For anyone to whom no rule gives a role. */
  defaultRole: Role,
  /** False: only administrators may sign in with a password. */
  localSignIn: z.boolean(),
};

/** GET `/api/oidc`; `issuer` is null while it is not set up. */
export const OidcSettings = z.object({
  ...Fields,
  issuer: z.string().nullable(),
  clientId: z.string().nullable(),
  clientSecret: z.object({ set: z.boolean(), keyId: z.string().optional() }),
  /** The redirect address to register at the identity provider. */
  callbackUrl: z.string(),
});
export type OidcSettings = z.infer<typeof OidcSettings>;

/** PATCH `/api/oidc`. The first time, issuer, clientId and clientSecret are required. */
export const ChangeOidcBody = z.strictObject({ ...Fields, clientSecret: newSecret(1_000) }).partial();
export type ChangeOidcBody = z.infer<typeof ChangeOidcBody>;

export const OidcTest = z.object({ ok: z.boolean(), error: z.string().optional() });
export type OidcTest = z.infer<typeof OidcTest>;

/** As it is stored. */
export const StoredOidc = z.object({ ...Fields, issuer: z.string(), secretEncrypted: z.string() });
export type StoredOidc = z.infer<typeof StoredOidc>;

/** A path of this site. */
const SitePath = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u);

/** POST `/api/auth/sign-in/social`: starts the sign-in at the identity provider. */
export const StartOidcBody = z.strictObject({ provider: z.literal("oidc"), callbackURL: SitePath.default("/") });
export const StartedOidc = z.object({ url: z.string() });
