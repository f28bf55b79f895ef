import { describe, expect, it } from 'vitest'
import { costMeter } from '../../../packages/throughline/src/tokens/session-cost.ts'
import { promptPieces } from './prompt-pieces.ts'
import type { Message } from '../../../packages/throughline/src/log/message.ts'
import { plainCounter } from '../../../packages/throughline/src/testing/plain-counter.ts'

const counter = plainCounter((text) => text.length, { message: () => 10, ratio: 2 })

describe('promptPieces', () => {
  it('gives a message the same piece whichever object it is, and another message another', () => {
    const piecesOf = promptPieces(counter)
    const [hello, again, other] = piecesOf({
      messages: [user('hello'), user('hello'), user('other')],
    })
    expect(hello).toEqual(again)
    expect(hello?.key).not.toBe(other?.key)
    expect(hello?.tokens).toBe(20)
  })

  it('has tools and system prompt in front, as providers read them', () => {
    const tools = [{ name: 'read' }]
    const pieces = promptPieces(counter)({ system: 'Be brief.', tools, messages: [user('hello')] })
    expect(pieces.map(({ tokens }) => tokens)).toEqual([JSON.stringify(tools).length * 2, 18, 20])
  })

  it('tells one system prompt from another, and has no piece for what is no tools', () => {
    const piecesOf = promptPieces(counter)
    const keyOf = (system: string) => piecesOf({ system, messages: [] })[0]?.key
    expect(keyOf('Be brief.')).toBe(keyOf('Be brief.'))
    expect(keyOf('Be brief.')).not.toBe(keyOf('Be kind.'))
    for (const tools of [undefined, null, 'none'])
      expect(piecesOf({ tools, messages: [] })).toEqual([])
  })

  it('counts a message once, however often it is sent', () => {
    let counted = 0
    const piecesOf = promptPieces(plainCounter(() => 0, { message: () => (counted += 1) }))
    const messages = [user('hello')]
    expect(piecesOf({ messages })).toEqual(piecesOf({ messages }))
    expect(counted).toBe(1)
  })

  it('lets a cache hold a conversation that grows', () => {
    const piecesOf = promptPieces(counter)
    const meter = costMeter({ input: 3, output: 15 })
    const conversation = [user('one')]
    meter.add({ at: 0, prompt: piecesOf({ messages: conversation }), output: 0 })
    conversation.push({ role: 'assistant', content: 'two' }, user('three'))
    const { usage } = meter.add({ at: 1, prompt: piecesOf({ messages: conversation }), output: 0 })
    expect(usage).toMatchObject({ cacheReadTokens: 20, cacheWriteTokens: 40 })
  })
})

function user(content: string): Message {
  return { role: 'user', content }
}
