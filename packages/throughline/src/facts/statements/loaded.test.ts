import { expect, test } from 'vitest'
import { factsOf } from '../facts-of.ts'
import { harness, logFrom } from '../../testing/generate/build.ts'

test('of loaded instructions the words are kept, not the elements around them', () => {
  const words = 'Always run the checks before a commit is made.\nUse <Button> in pages.'
  const { statements } = factsOf(
    logFrom([harness(`<user_instructions>\n# AGENTS.md\n${words}\n</user_instructions>`)]),
  )
  expect(statements.map(({ text }) => text)).toEqual([`# AGENTS.md\n${words}`])
})
