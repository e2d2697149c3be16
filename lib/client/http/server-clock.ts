/** Pages show the server's time: every reply's Date header corrects for a wrong browser clock. */
let skewMs = 0;

/** A skew below two seconds is the header's own rounding. */
export function noteServerDate(header: string | null): void {
  const serverMs = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(serverMs)) return;
  const measured = serverMs - Date.now();
  skewMs = Math.abs(measured) < 2000 ? 0 : measured;
}

export function serverNowMs(): number {
  return Date.now() + skewMs;
}
