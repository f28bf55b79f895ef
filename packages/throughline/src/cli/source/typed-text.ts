import { CommandError, InterruptedError } from '../errors.ts'
import type { Io } from '../io.ts'

/** In characters: far more than anyone types or pipes into a command as one text. */
const longest = 1_000_000

/**
 * The whole of standard input, as a text.
 * @throws CommandError with these words if it is longer than a megabyte; InterruptedError at Ctrl-C.
 */
export async function typedText({ stdin, signal }: Io, tooLong: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of stdin.chunks()) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > longest) throw new CommandError(`standard input: ${tooLong}`)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (signal.aborted) throw new InterruptedError('interrupted; nothing was changed.')
  return text
}
