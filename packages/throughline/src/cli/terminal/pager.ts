import { runAttached } from './attached.ts'

/** The screen that a text is printed on. */
interface Screen {
  rows: number
  columns: number
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Shows a text in the user's pager, as git does, if the screen is too small for it: the program in
 * `THROUGHLINE_PAGER` or `PAGER`, else `less`. Returns whether it was shown; `cat` and an empty name
 * switch the pager off.
 */
export async function pagedText(text: string, { rows, columns, env }: Screen): Promise<boolean> {
  const [program = '', ...given] = (env['THROUGHLINE_PAGER'] ?? env['PAGER'] ?? 'less')
    .split(' ')
    .filter((word) => word !== '')
  if (program === '' || program === 'cat' || fits(text, rows, columns)) return false
  // Quit where it fits after all, show colours, and leave the text on the screen.
  const variables = { LESS: 'FRX', LV: '-c', ...env }
  return runAttached({ program, arguments: given, variables, input: text }).then(
    (code) => code < 126,
    () => false,
  )
}

function fits(text: string, rows: number, columns: number): boolean {
  let lines = 0
  for (const line of text.split('\n')) {
    lines += Math.max(1, Math.ceil(line.length / columns))
    if (lines >= rows) return false
  }
  return true
}
