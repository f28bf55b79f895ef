import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { openaiChat } from '../openai-chat/format.ts'
import { factsIn, outline } from '../testing/outline.ts'

interface Message {
  role: string
  content: string
}

function request(messages: readonly Message[], answer: string): object {
  return { messages, response: { choices: [{ message: { content: answer } }] } }
}

const one = { role: 'user', content: 'One.' }
const two = { role: 'user', content: 'Two.' }
const answered = (content: string): Message => ({ role: 'assistant', content })

describe('requests that repeat what was said before', () => {
  test('add what is new', () => {
    const records = [request([one], 'a'), request([one, answered('a'), two], 'b')]
    expect(outline(openaiChat, records)).toEqual([
      'human: One.',
      'model: a',
      'human: Two.',
      'model: b',
    ])
  })

  test('go back where they say something else', () => {
    const records = [request([one], 'a'), request([one], 'A'), request([one, answered('A')], 'b')]
    expect(outline(openaiChat, records)).toEqual([
      'human: One.',
      'model: a',
      'rewind to 1',
      'model: A',
      'model: b',
    ])
  })

  test('are another conversation where they begin in another way', () => {
    const records = [
      request([one], 'a'),
      request([two], 'b'),
      request([one, answered('a'), two], 'c'),
    ]
    expect(outline(openaiChat, records)).toEqual([
      'human: One.',
      'model: a',
      'human: Two.',
      'model: c',
    ])
    expect(factsIn(openaiChat, records).omitted).toEqual({ 'other-conversation': 1 })
  })

  test('are the same conversation where they begin with a summary of it', () => {
    const summary = '<prior-conversation-summary>\nx\n</prior-conversation-summary>'
    const records = [request([one], 'a'), request([{ role: 'user', content: summary }, two], 'b')]
    expect(outline(openaiChat, records)).toEqual([
      'human: One.',
      'model: a',
      'checkpoint: x, kept ',
      'human: Two.',
      'model: b',
    ])
    expect(contextOf(logOf(draftsOf(openaiChat, records))).items).toHaveLength(3)
  })

  test('leave the context that the last of them shows', () => {
    const texts = fc.constantFrom('a', 'b', 'c')
    const messages = fc
      .array(fc.tuple(texts, texts), { maxLength: 4 })
      .map((turns) => [
        one,
        ...turns.flatMap(([said, asked]) => [answered(said), { role: 'user', content: asked }]),
      ])
    fc.assert(
      fc.property(fc.array(messages, { minLength: 1, maxLength: 6 }), (requests) => {
        const records = requests.map((said) => request(said, 'z'))
        const { items } = contextOf(logOf(draftsOf(openaiChat, records)))
        const seen = items.flatMap((item) => (item.type === 'message' ? [item.message] : []))
        const last = (requests.at(-1) ?? []).map(({ content }) => content)
        const said = seen.map(({ content }) =>
          typeof content === 'string'
            ? content
            : content.map((part) => 'text' in part && part.text),
        )
        expect(said.flat()).toEqual([...last, 'z'])
      }),
    )
  })
})
