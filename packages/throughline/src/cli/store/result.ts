import { exitCodes } from '../errors.ts'
import { safeJson } from '../output/target.ts'
import { paintFor } from '../terminal/colour.ts'
import { wrap } from '../terminal/columns.ts'
import type { ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

/** What a command did: for a program, and in sentences for a reader, the most important first. */
export interface Result {
  json: Readonly<Record<string, unknown>>
  lines: readonly (string | undefined)[]
}

/** Prints what was done, in the requested form. */
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
