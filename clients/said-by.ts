/** The first lines of what a command that failed said, else of the error itself. */
export function saidBy(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string }
  return (stderr || message || String(error)).trim().split('\n').slice(0, 3).join(' ')
}
