import { describe, expect, it } from 'vitest'
import { call, result } from '../testing/generate/build.ts'
import {
  assistantText,
  messageText,
  outputText,
  partText,
  partsOf,
  type Message,
  type ToolOutput,
} from './message.ts'

const image = { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' } as const

describe('the parts of a message', () => {
  it('are those that it has; a string is one text, and an empty one is none', () => {
    expect(partsOf({ role: 'user', content: 'hi' })).toEqual([{ type: 'text', text: 'hi' }])
    expect(partsOf({ role: 'user', content: '' })).toEqual([])
    const content = [image]
    expect(partsOf({ role: 'user', content })).toBe(content)
  })
})

describe('the text of a tool output', () => {
  it.each<[ToolOutput, string]>([
    [{ type: 'text', value: 'done' }, 'done'],
    [{ type: 'error-text', value: 'failed' }, 'failed'],
    [{ type: 'json', value: { a: [1] } }, '{"a":[1]}'],
    [{ type: 'error-json', value: ['no'] }, '["no"]'],
    [{ type: 'json', value: undefined }, ''],
    [{ type: 'execution-denied', reason: 'not here' }, 'not here'],
    [{ type: 'execution-denied' }, 'The call was denied.'],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'one' },
          { type: 'image-data' },
          { type: 'text', text: 'two' },
        ],
      },
      'one\n\ntwo',
    ],
  ])('%j', (output, text) => {
    expect(outputText(output)).toBe(text)
  })
})

describe('the text of a message', () => {
  const message: Message = {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'let me think' },
      { type: 'text', text: '' },
      { type: 'text', text: 'I look' },
      call('a', 'Read', { path: 'x' }),
      result('a', 'Read', 'it says y'),
      { type: 'text', text: 'and on' },
    ],
  }

  it('is all that it says, a line for each part that says something', () => {
    expect(messageText(message)).toBe('let me think\nI look\nit says y\nand on')
    expect(messageText({ role: 'user', content: [image] })).toBe('')
    expect(partText(image)).toBe('')
    expect(partText(call('a', 'Read'))).toBe('')
  })

  it('to the human is without reasoning, calls and results', () => {
    expect(assistantText(message)).toBe('\nI look\nand on')
    expect(assistantText({ role: 'assistant', content: 'plain' })).toBe('plain')
  })
})
