import type { SentForm } from "@/lib/client/forms/use-form";

/** What is wrong, as far as no field shows it. */
export function FormError({ form: { error } }: { form: SentForm }) {
  if (error === null) return null;
  return (
    <p role="alert" className="rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text">
      {error}
    </p>
  );
}

/** Says that someone else has saved in the meantime. */
export function FormNotice({ form: { notice } }: { form: SentForm }) {
  if (notice === null) return null;
  return (
    <p role="alert" className="mt-3 rounded-md bg-limit-soft px-2.5 py-1.5 text-sm text-limit-text">
      {notice}
    </p>
  );
}
