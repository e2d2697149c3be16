/**
 * The redirect target of a response, reduced to the origin because the rest may contain a key; null for other
 * responses. A redirect to another host is not followed, because it would send the key and the conversation there.
 */
export function redirectTarget(status: number | undefined, location: string | null | undefined, url: string) {
  if (status === undefined || status < 300 || status >= 400) return null;
  return (location ? URL.parse(location, url)?.origin : undefined) ?? "an unknown address";
}
