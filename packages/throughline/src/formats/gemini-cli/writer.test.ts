import { expect, it } from 'vitest'
import { geminiCli } from './format.ts'
import { geminiCliWriter } from './writer.ts'
import { readBack, substance, testIdentity } from '../../testing/conformance/writer-conformance.ts'
import { unheard } from './parts.ts'
import type { UserPart } from '../../log/message.ts'
import type { WrittenSession } from '../writing/format-writer.ts'

const image: UserPart = { type: 'image', image: 'AA==', mediaType: 'image/png' }

it.each<[string, string | UserPart[]]>([
  ['a path at its start', '/code/a.ts is broken'],
  ['a question mark at its start', ' ?! Why'],
  ['an element of the harness at its start', '<hook_context>x</hook_context>'],
  ['an image alone', [image]],
])('writes no message that Gemini CLI would keep from the model: %s', async (_, content) => {
  const written: WrittenSession = {
    messages: [{ message: { role: 'user', content }, origin: 'human', at: 0 }],
    facts: {},
  }
  const { text } = geminiCliWriter.write(written, testIdentity())
  const [, message] = text.trim().split('\n')
  const parts: { text?: string }[] = JSON.parse(message ?? '').content
  expect(unheard(parts.map((part) => part.text ?? '').join(''))).toBe(false)
  const read = await readBack(geminiCliWriter, geminiCli, written)
  const wordsOnly = (session: WrittenSession): string[] =>
    substance(session).map((line) => line.replace(/^\w+: /, ''))
  expect(wordsOnly(read)).toEqual(wordsOnly(written))
})
