/**
 * Copies a text to the clipboard; rejects if the browser refuses. A page served over plain HTTP only has the older API.
 */
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
