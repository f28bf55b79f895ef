/** That a command took too long, or the first lines that it printed when it failed, else the error's own message. */
export function saidBy(error: unknown): string {
  const { stderr, message, killed } = error as {
    stderr?: string
    message?: string
    killed?: boolean
  }
  if (killed === true) return 'it took too long and was stopped'
  return (stderr || message || String(error)).trim().split('\n').slice(0, 3).join(' ')
}
