import { InterruptedError } from '../errors.ts'
import { usage } from '../parse-arguments.ts'
import type { ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

/**
 * Whether the user confirms something that can't be undone. In a terminal it asks, and any answer
 * but yes means no; elsewhere, `--yes` is required.
 * @throws UsageError if there is no terminal to ask in; InterruptedError at Ctrl-C.
 */
export async function confirmed(
  command: string,
  question: string,
  { flags }: ParsedArguments,
  io: Io,
): Promise<boolean> {
  if (flags.has('yes')) return true
  if (!io.stdin.isTerminal || !io.stderr.isTerminal) {
    throw usage(
      command,
      `${question} There is no terminal to ask in: use --yes, or run it in a terminal`,
    )
  }
  await io.stderr.write(`${question} [y/N] `)
  const answer = await firstLine(io)
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return true
  await io.stderr.write(`${answer === undefined ? '\n' : ''}Nothing was changed.\n`)
  return false
}

/** `undefined` if the input ends first. */
async function firstLine({ stdin, signal, stderr }: Io): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of stdin.chunks()) {
      text += decoder.decode(chunk, { stream: true })
      const end = text.indexOf('\n')
      if (end >= 0) return text.slice(0, end)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (!signal.aborted) return undefined
  await stderr.write('\n')
  throw new InterruptedError('interrupted; nothing was changed.')
}
