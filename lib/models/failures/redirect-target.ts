/**
 * Where an answer sends its reader: the origin only, because the rest may contain a key. Null for an answer that is not
 * a redirect. A redirect to another host is not followed, since it would carry the key and the conversation there.
 */
export function redirectTarget(status: number | undefined, location: string | null | undefined, url: string) {
  if (status === undefined || status < 300 || status >= 400) return null;
  return (location ? URL.parse(location, url)?.origin : undefined) ?? "an unknown address";
}
