"use client";
import { CodeBlock } from "@/components/ui/code/code-block";
import { useFragmentParameter } from "@/lib/client/ui/use-fragment";
import { readAmount } from "@/lib/client/usage/budget-text";
import { setUp } from "@/lib/client/users/account";
import { AccountForm } from "./account-form";

const ACCOUNT = [
  { name: "name", label: "Your name", autoComplete: "name" },
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
  {
    name: "password",
    label: "Password",
    type: "password",
    autoComplete: "new-password",
    minLength: 12,
    description: "At least 12 characters.",
  },
] as const;

const TOKEN = {
  name: "token",
  label: "Set-up token",
  description: "The part after #token= in the link in the server's log.",
} as const;

const isAmount = (text: string) => (Number.isNaN(readAmount(text)) ? "Write a number, such as 12.50." : null);
const BUDGET = { inputMode: "decimal", placeholder: "No limit", isRequired: false, validate: isAmount } as const;
/** Named as the problems that the server finds in them. */
const BUDGETS = [
  {
    ...BUDGET,
    name: "budgets.month_usd",
    label: "Monthly budget, in dollars",
    description: "Caps what all models together may cost.",
  },
  {
    ...BUDGET,
    name: "budgets.person_day_usd",
    label: "Daily budget per person, in dollars",
    description: "Runs wait for an administrator once it is reached. Both are changed under Admin › Usage.",
  },
] as const;
const SUGGESTED = { "budgets.person_day_usd": "5" } as const;

type Values = Readonly<Record<(typeof ACCOUNT | typeof BUDGETS)[number]["name"] | "token", string>>;

function budgetsOf(values: Values) {
  const month = readAmount(values["budgets.month_usd"]);
  const personDay = readAmount(values["budgets.person_day_usd"]);
  return {
    ...(month === null ? {} : { month_usd: month }),
    ...(personDay === null ? {} : { person_day_usd: personDay }),
  };
}

/** The fragment never reaches a server or its logs; it is read here and sent once. */
export function SetUpForm() {
  const token = useFragmentParameter("token");
  return (
    <AccountForm
      fields={token === "" ? [...ACCOUNT, ...BUDGETS, TOKEN] : [...ACCOUNT, ...BUDGETS]}
      opened={SUGGESTED}
      action="Set up Ringmaster"
      onSubmit={(values: Values) => {
        const { name, email, password } = values;
        return setUp({ name, email, password, token: token || values.token, budgets: budgetsOf(values) });
      }}
      onDone={() => window.location.assign("/")}
    >
      {token === "" ? <WhereTheTokenIs /> : null}
    </AccountForm>
  );
}

function WhereTheTokenIs() {
  return (
    <details className="rounded-md border border-border bg-surface px-3 py-2 text-sm">
      <summary className="text-sm">Where is the token?</summary>
      <p className="mt-2 mb-2 text-muted">
        When the server starts without an administrator, it prints a link. Open that link, or copy what follows{" "}
        <code className="text-xs">#token=</code>. A restart prints a new one.
      </p>
      <CodeBlock isBare wrap title="text" code="Set up: http://127.0.0.1:3000/setup#token=…" />
    </details>
  );
}
