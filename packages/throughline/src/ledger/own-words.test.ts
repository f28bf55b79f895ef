import { expect, test } from 'vitest'
import type { Message } from '../log/message.ts'
import { ownOrigin, ownOriginOf } from './own-words.ts'

test('a note on another client’s tools is ours, also where it stands behind a summary', () => {
  const note =
    '[This session began in Claude Code and continues in Gemini CLI, which has different tools.\n…]'
  expect(ownOrigin(note)).toBe('harness')
  expect(ownOrigin(`\n\n${note}`)).toBe('harness')
  expect(ownOrigin('This session began in Rome and continues in Paris.')).toBe(undefined)
})

test('a message in which more than our words stands is not ours', () => {
  const note = '[3 steps are left out here, entries 4–9; the summary covers them.]'
  const texts = (...all: string[]): Message => ({
    role: 'user',
    content: all.map((text) => ({ type: 'text', text })),
  })
  expect(ownOriginOf(texts(note, `[Pinned] ${note}`))).toBe('harness')
  expect(ownOriginOf(texts(note, 'Fix it.'))).toBe(undefined)
  expect(ownOrigin(`${note}\n\nFix it.`)).toBe(undefined)
})
