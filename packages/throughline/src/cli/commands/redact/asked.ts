import { parseRef } from '../../../log/ref.ts'
import { usage } from '../../parse-arguments.ts'
import { argument, type ParsedArguments } from '../../command.ts'
import type { Ref } from '../../../log/entry.ts'
import type { Io } from '../../io.ts'
import { CommandError, InterruptedError } from '../../errors.ts'

/** What to redact, and how to refer to it: a secret must not be repeated. */
export interface Asked {
  what: { text: string } | { ref: Ref }
  name: string
}

/** @throws UsageError */
export async function askedFor(parsed: ParsedArguments, io: Io): Promise<Asked> {
  const ref = argument(parsed, 'ref')
  const secret = parsed.values.get('secret')
  if (ref !== '' && secret !== undefined) {
    throw usage('redact', 'a ref and --secret cannot be combined: use only one')
  }
  if (secret !== undefined) {
    const text = secret === '-' ? await secretIn(io) : secret
    if (text.trim() !== '') return { what: { text }, name: 'this text' }
    throw usage('redact', 'standard input contains no secret')
  }
  if (ref === '') throw usage('redact', 'what should be redacted? Give a ref, or --secret TEXT')
  if (parseRef(ref)) return { what: { ref: ref as Ref }, name: `the text of ${ref}` }
  throw usage(
    'redact',
    'a ref is the number of a message or of a part of it, such as 12 or 12.0; to redact a text, use --secret TEXT',
  )
}

// A secret is a few lines long; more is a mistake.
const longest = 1_000_000

/**
 * The secret from standard input, without the final line break; in a terminal, one line that isn't
 * shown.
 * @throws CommandError if it is far too long; InterruptedError at Ctrl-C.
 */
async function secretIn(io: Io): Promise<string> {
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
          'standard input: more than a megabyte cannot be a secret. Pass a single secret.',
        )
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return text
}
