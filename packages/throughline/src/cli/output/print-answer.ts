import { exitCodes } from '../errors.ts'
import { screenOf, type Screen } from '../terminal/colour.ts'
import { safeJson } from './target.ts'
import type { ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

/** Prints an answer in the requested form. */
export async function printAnswer(
  { json, lines }: { json: () => unknown; lines: (screen: Screen) => readonly string[] },
  { flags }: Pick<ParsedArguments, 'flags'>,
  { stdout, env }: Io,
): Promise<number> {
  if (flags.has('json')) await stdout.write(`${safeJson(json())}\n`)
  else await stdout.page(`${lines(screenOf(stdout, env)).join('\n')}\n`)
  return exitCodes.done
}
