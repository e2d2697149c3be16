/** Puts a text on the clipboard; rejects when the browser refuses. A page that came over plain HTTP has only the older way. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", fill, { once: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", fill);
  if (!isDone) throw new Error("The browser blocked copying.");
}
