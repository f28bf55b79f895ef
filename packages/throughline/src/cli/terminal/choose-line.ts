import search from '@inquirer/search'

const mostShown = 15
// Ctrl-C, and Esc.
const leftBy: ReadonlySet<string> = new Set(['ExitPromptError', 'AbortPromptError'])

/**
 * Lets the user choose a line by typing words of it, or of its text that the terminal has no room for; `undefined` if they leave with Esc or Ctrl-C.
 */
export async function chooseLine(
  question: string,
  lines: readonly string[],
  texts: readonly string[] = [],
): Promise<number | undefined> {
  const choices = lines.map((name, value) => ({ name, value, short: '' }))
  const source = (typed: string | undefined) => {
    return choices.filter(({ name, value }) =>
      isMeant(`${name} ${texts[value] ?? ''}`, typed ?? ''),
    )
  }
  const pageSize = Math.max(5, Math.min(mostShown, (process.stderr.rows || 24) - 6))
  const leaving = new AbortController()
  const onKey = (_: unknown, key: { name?: string } | undefined): void => {
    if (key?.name === 'escape') leaving.abort()
  }
  process.stdin.on('keypress', onKey)
  try {
    return await search(
      { message: question, source, pageSize, theme: { prefix: '' } },
      { output: process.stderr, clearPromptOnDone: true, signal: leaving.signal },
    )
  } catch (error) {
    const isLeft = error instanceof Error && leftBy.has(error.name)
    if (isLeft) return undefined
    throw error
  } finally {
    process.stdin.off('keypress', onKey)
  }
}

/** Whether a line has all of these words in it. */
export function isMeant(text: string, typed: string): boolean {
  const searched = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
