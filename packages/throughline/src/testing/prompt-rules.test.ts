import { describe, expect, test } from 'vitest'
import { promptProblems } from './prompt-rules.ts'
import { scriptedModel } from './scripted/scripted-model.ts'
import type { ProviderMessage } from './scripted/model-types.ts'

const user = (text: string): ProviderMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
})
const said = (text: string): ProviderMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
})
const calls = (...ids: string[]): ProviderMessage => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({
    type: 'tool-call',
    toolCallId,
    toolName: 'read',
    input: {},
  })),
})
const results = (...ids: string[]): ProviderMessage => ({
  role: 'tool',
  content: ids.map((toolCallId) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'read',
    output: { type: 'text', value: 'x' },
  })),
})

describe('a strict provider', () => {
  test('takes what is legal', () => {
    const prompt = [
      { role: 'system', content: 'Be brief.' } as const,
      user('a'),
      user('b'),
      calls('1', '2'),
      results('2', '1'),
      said('c'),
      user('d'),
      calls('3'),
      results('3'),
    ]
    expect(promptProblems(prompt)).toEqual([])
  })

  test.each<[string, RegExp, ProviderMessage[]]>([
    ['nothing at all', /no messages/, []],
    ['a call without its result', /call 1 has no result/, [user('a'), calls('1'), user('b')]],
    ['an open call at the end', /call 1 has no result/, [user('a'), calls('1')]],
    ['half of the results', /call 2 has no result/, [user('a'), calls('1', '2'), results('1')]],
    ['a result without its call', /result of 1 without/, [user('a'), results('1')]],
    ['two results', /result of 1 without/, [user('a'), calls('1'), results('1', '1')]],
    [
      'a result that comes late',
      /result of 1 without/,
      [user('a'), calls('1'), user('b'), results('1')],
    ],
    [
      'one id for two calls',
      /call 1 was made before/,
      [user('a'), calls('1'), results('1'), calls('1'), results('1')],
    ],
    ['the assistant first', /not the user/, [said('a'), user('b')]],
    ['the assistant last', /the last is not/, [user('a'), said('b')]],
    [
      'a system message among the others',
      /system message/,
      [user('a'), { role: 'system', content: 'x' }, user('b')],
    ],
    [
      'an empty assistant message',
      /empty assistant/,
      [user('a'), { role: 'assistant', content: [] }, user('b')],
    ],
    ['a text without text', /without text/, [user('a'), said(' '), user('b')]],
  ])('refuses %s', (_, problem, prompt) => {
    expect(promptProblems(prompt).join('\n')).toMatch(problem)
  })
})

describe('a scripted model', () => {
  test('refuses an illegal prompt and one that is too long, and remembers both', async () => {
    const model = scriptedModel({ script: () => ({ text: 'x' }), rules: { window: 100 } })
    await expect(model.doStream({ prompt: [user('a'), calls('1')] })).rejects.toMatchObject({
      statusCode: 400,
      problems: ['call 1 has no result', 'the last is not the user’s'],
    })
    await expect(model.doGenerate({ prompt: [user('a'.repeat(1_000))] })).rejects.toMatchObject({
      message: 'prompt is too long: 254 tokens > 100 maximum',
    })
    expect(model.requests.map(({ number }) => number)).toEqual([1, 2])
  })

  test('says that its script is at its end', async () => {
    const model = scriptedModel({ script: [] })
    await expect(model.doGenerate({ prompt: [user('a')] })).rejects.toThrow('0 answers')
  })
})
