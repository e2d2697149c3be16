const PROBLEM_TEXTS: Readonly<Record<string, (name: string) => string>> = {
  account_not_linked: (name) =>
    `There is an account with your email address already, and it does not belong to ${name}. Sign in with its password, or ask an administrator.`,
  deactivated: () => "Your account is deactivated. Ask an administrator.",
  access_denied: (name) => `You have not agreed at ${name}, so nothing happened. Try again.`,
  invalid_code: (name) =>
    `${name} did not accept this server's client secret, or the sign-in took too long. Try again; if it fails again, an administrator has to check the secret.`,
  groups_unknown: (name) =>
    `${name} did not say which groups you are in, so you were not signed in. Try again in a moment.`,
  email_not_found: (name) => `${name} sent no email address for you. An administrator there has to allow it.`,
};

/** Why a sign-in through the identity provider failed, and what to do; null if it did not. */
export function oidcProblem(code: string | undefined, name: string): string | null {
  if (code === undefined) return null;
  return (PROBLEM_TEXTS[code] ?? (() => `The sign-in through ${name} did not succeed. Try again.`))(name);
}
