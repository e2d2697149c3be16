import type { Attachment } from "postal-mime";

/** Parts that vouch for the others: nobody sent them as files. */
const SIGNATURES: ReadonlySet<string> = new Set([
  "application/pkcs7-signature",
  "application/x-pkcs7-signature",
  "application/pgp-signature",
]);
const ENCRYPTED: ReadonlySet<string> = new Set([
  "application/pkcs7-mime",
  "application/x-pkcs7-mime",
  "application/pgp-encrypted",
]);

/** What a mail says whose text nobody here can read; "" if it is readable. */
export function encryptedNotice(attachments: readonly Attachment[]): string {
  const isEncrypted = attachments.some(({ mimeType }) => ENCRYPTED.has(mimeType.toLowerCase()));
  return isEncrypted ? "[Encrypted mail, which can't be read here]" : "";
}

/** Whether a part was attached by the sender: inline pictures, such as a logo in a signature, don't count. */
export function isSent({ disposition, related, contentId, mimeType }: Attachment): boolean {
  const type = mimeType.toLowerCase();
  if (SIGNATURES.has(type) || type === "application/pgp-encrypted") return false;
  return disposition === "attachment" || !(related === true || contentId !== undefined);
}

const NAMES: Readonly<Record<string, string>> = {
  "text/calendar": "invitation.ics",
  "text/vcard": "contact.vcf",
  "message/rfc822": "mail.eml",
};

/** The name of a file that has none. */
export function nameFor(mimeType: string): string {
  const ending = mimeType
    .split("/")
    .at(-1)
    ?.replace(/[^a-z0-9]/gi, "");
  return NAMES[mimeType.toLowerCase()] ?? `attachment.${ending || "bin"}`;
}

const SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE = "\n-----BEGIN PGP SIGNATURE-----";

/** A text that was signed as text (RFC 9580, section 7) without its frame; any other as it is. */
export function withoutSignature(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").trimStart();
  const begin = plain.indexOf("\n\n");
  const end = plain.lastIndexOf(SIGNATURE);
  if (!plain.startsWith(SIGNED) || begin < 0 || end < begin) return text;
  // A line that begins with a dash has another one before it.
  return plain.slice(begin + 2, end).replaceAll(/^- /gm, "");
}
