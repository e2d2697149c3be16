import type { SentForm } from "@/lib/client/forms/use-form";

/** What somebody else has saved meanwhile. */
export function FormNotice({ form: { notice } }: { form: SentForm }) {
  if (notice === null) return null;
  return (
    <p role="alert" className="mt-3 rounded-md bg-limit-soft px-2.5 py-1.5 text-sm text-limit-text">
      {notice}
    </p>
  );
}
