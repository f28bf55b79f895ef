import { InterruptedError } from '../errors.ts'
import { usage } from '../parse-arguments.ts'
import type { ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

/**
 * Whether the user wants what cannot be taken back: asks in a terminal, where anything but yes
 * is no; elsewhere `--yes` must have said so.
 * @throws UsageError if nobody can be asked; InterruptedError at Ctrl-C.
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
      `${question} Nobody can be asked here: give --yes, or run it in a terminal`,
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
