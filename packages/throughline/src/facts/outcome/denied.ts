/** How harnesses begin the result of a call that the human or one of their rules refused. */
const DENIALS = [
  "The user doesn't want to",
  'The user does not want to',
  '[Request interrupted by user',
  '[Operation Cancelled]',
  'Operation cancelled',
  'exec command rejected by user',
  'patch rejected by user',
  'Tool call was rejected',
  'The user rejected',
  'The user has denied',
  'User rejected',
  'User denied',
  'Permission to use',
  'Permission denied and could not request',
  'aborted by user',
  'Command aborted',
  'Tool execution was interrupted',
  'Tool execution aborted',
  '<tool_use_error>Sibling tool call errored',
  '<tool_use_error>Cancelled',
  'The call was denied',
] as const

/** The call never completed: it has no effect, and nothing failed. */
export function isDenied(output: string): boolean {
  const start = output.slice(0, 80).trimStart()
  return DENIALS.some((denial) => start.startsWith(denial))
}
