import { expect, test } from 'vitest'
import { ownOrigin } from './own-words.ts'

test('a note on another client’s tools is ours, also where it stands behind a summary', () => {
  const note =
    '[This session began in Claude Code and continues in Gemini CLI, which has different tools.\n…]'
  expect(ownOrigin(note)).toBe('harness')
  expect(ownOrigin(`\n\n${note}`)).toBe('harness')
  expect(ownOrigin('This session began in Rome and continues in Paris.')).toBe(undefined)
})
