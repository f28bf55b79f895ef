import { exitCodes } from '../errors.ts'
import { safeJson } from '../output/safe-json.ts'
import { paintFor } from '../terminal/colour.ts'
import { wrap } from '../terminal/wrap.ts'
import type { ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

/** What a command did: for a program, and for a reader in sentences, the first of which says most. */
export interface Result {
  json: Readonly<Record<string, unknown>>
  lines: readonly (string | undefined)[]
}

/** Prints what was done, in the form that was asked for. */
export async function printResult(
  { json, lines }: Result,
  { flags }: ParsedArguments,
  { stdout, env }: Io,
): Promise<number> {
  const paint = paintFor(stdout, env)
  const shown = (line: string): string[] =>
    stdout.isTerminal ? wrap(line, stdout.columns()) : [line]
  const [first = '', ...others] = lines.filter((line) => line !== undefined)
  const text = flags.has('json')
    ? safeJson({ version: 1, ...json })
    : [...shown(first).map((line) => paint('bold', line)), ...others.flatMap(shown)].join('\n')
  await stdout.write(`${text}\n`)
  return exitCodes.done
}
