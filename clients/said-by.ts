/** The first lines printed by a failed command, else the error's own message. */
export function saidBy(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string }
  return (stderr || message || String(error)).trim().split('\n').slice(0, 3).join(' ')
}
