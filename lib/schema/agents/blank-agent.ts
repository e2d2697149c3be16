/** What a new agent of this name starts from without a template, as YAML. */
export function blankAgent(name: string): string {
  return `name: ${JSON.stringify(name)}
description: ""
system_prompt: ""
tools: [calculate, current_datetime, ask_user]
permissions:
  enabled: true
  mode: accept_edits
backend:
  type: state
`;
}
