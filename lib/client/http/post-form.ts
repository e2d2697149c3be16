/** Submits an empty form, so that the browser saves the reply as a file while it arrives. */
export function postForm(path: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = path;
  form.hidden = true;
  document.body.append(form);
  form.submit();
  form.remove();
}
