import search from '@inquirer/search'

const mostShown = 15

/** Lets somebody choose a line by typing words of it; `undefined` if they leave with Ctrl-C. */
export async function chooseLine(
  question: string,
  lines: readonly string[],
): Promise<number | undefined> {
  const choices = lines.map((name, value) => ({ name, value, short: '' }))
  const source = (typed: string | undefined) => {
    const words = (typed ?? '').toLowerCase().split(/\s+/)
    return choices.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  }
  const pageSize = Math.max(5, Math.min(mostShown, (process.stderr.rows || 24) - 6))
  try {
    return await search(
      { message: question, source, pageSize, theme: { prefix: '' } },
      { output: process.stderr, clearPromptOnDone: true },
    )
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return undefined
    throw error
  }
}
