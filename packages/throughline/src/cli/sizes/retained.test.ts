import { describe, expect, it } from 'vitest'
import { retainedIn } from './retained.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import type { Message } from '../../log/message.ts'

const log = logFrom([
  human('Never commit without asking. Make the login work.'),
  assistant([call('1', 'Edit', { file_path: 'src/login.ts', old_string: 'a', new_string: 'b' })]),
  tool(result('1', 'Edit', 'The file src/login.ts has been updated.')),
  assistant('Done.'),
])
const facts = factsOf(log)
const says = (content: string): Message[] => [{ role: 'user', content }]

describe('retainedIn', () => {
  it('finds what stands there word for word', () => {
    const text =
      '- Never commit without asking.\n- edited src/login.ts\nNever commit without asking. Make the login work.'
    const { rules, files, latestRequest } = retainedIn(says(text), facts)
    expect(rules.kept).toBe(rules.of)
    expect(rules.of).toBeGreaterThan(0)
    expect(files).toEqual({ kept: 1, of: 1 })
    expect(latestRequest).toBe(true)
  })

  it('does not take a part of a name, or other words, for it', () => {
    const text =
      '- Never commit without my asking.\n- edited lib/src/login.tsx\nMake the login work'
    const { rules, files, latestRequest } = retainedIn(says(text), facts)
    expect(rules.kept).toBe(0)
    expect(files.kept).toBe(0)
    expect(latestRequest).toBe(false)
  })

  it('finds a path in the input of a call', () => {
    const content = [call('1', 'Read', { file_path: '/code/src/login.ts' })]
    const messages: Message[] = [{ role: 'assistant', content }]
    expect(retainedIn(messages, facts).files.kept).toBe(1)
  })

  it('claims nothing of a session in which nothing was asked', () => {
    const empty = factsOf(logFrom([assistant('Hello')]))
    expect(retainedIn(says('anything'), empty)).toEqual({
      rules: { kept: 0, of: 0 },
      files: { kept: 0, of: 0 },
      latestRequest: null,
    })
  })
})
