import { CommandError, InterruptedError } from '../errors.ts'
import type { Io } from '../io.ts'

// A secret is a few lines; more is a mistake.
const longest = 1_000_000

/**
 * The secret on standard input, without the line end behind it; in a terminal one line that is
 * not shown.
 * @throws CommandError if it is far too long; InterruptedError at Ctrl-C.
 */
export async function secretIn(io: Io): Promise<string> {
  const { stdin, signal } = io
  const text = stdin.isTerminal
    ? await stdin.hiddenLine('The secret, which is not shown: ')
    : await allOf(io)
  if (signal.aborted) throw new InterruptedError('interrupted; nothing was changed.')
  return (text ?? '').replace(/\r?\n$/, '')
}

async function allOf({ stdin, signal }: Io): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of stdin.chunks()) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > longest) {
        throw new CommandError(
          'standard input: more than a megabyte is no secret. Give one secret.',
        )
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return text
}
