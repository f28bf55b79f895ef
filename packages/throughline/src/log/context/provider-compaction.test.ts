import { describe, expect, it } from 'vitest'
import { assistant, human, logFrom } from '../../testing/generate/build.ts'
import { advanceContext, contextOf, emptyContext } from './context.ts'
import {
  compactedBy,
  providerCompactionIn,
  sealedIn,
  withoutProviderCompaction,
  withoutSealed,
} from './provider-compaction.ts'
import type { AssistantPart, Message } from '../message.ts'
import type { EntryDraft } from '../entry.ts'

type SystemMessage = Extract<Message, { role: 'system' }>

const text: AssistantPart = { type: 'text', text: 'I go on.' }
const openaiPart: AssistantPart = {
  type: 'custom',
  kind: 'openai.compaction',
  providerOptions: { openai: { itemId: 'cmp_1', encryptedContent: 'sealed' } },
}
const anthropicPart: AssistantPart = {
  type: 'text',
  text: 'What was.',
  providerOptions: { anthropic: { type: 'compaction', signature: 'signed' } },
}
const openaiItem: SystemMessage = {
  role: 'system',
  content: JSON.stringify({ type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' }),
  providerOptions: { openai: { form: 'item' } },
}
const anthropicItem: SystemMessage = {
  role: 'system',
  content: '',
  providerOptions: {
    anthropic: { block: { type: 'compaction', content: 'What was.', signature: 'signed' } },
  },
}
const said = (...content: AssistantPart[]): Message => ({ role: 'assistant', content })

const others: Message[] = [
  { role: 'user', content: 'Go on.' },
  { role: 'assistant', content: 'I go on.' },
  said(text),
  said({ type: 'custom', kind: 'openai.web_search' }),
  said({ type: 'custom' } as AssistantPart),
  { role: 'system', content: 'Be brief.' },
  { role: 'system', content: 'no JSON {', providerOptions: { openai: { form: 'item' } } },
  { role: 'system', content: 'null', providerOptions: { openai: { form: 'item' } } },
  { role: 'system', content: openaiItem.content },
  { role: 'system', content: openaiItem.content, providerOptions: { openai: { form: 'text' } } },
]

describe('a provider’s own compaction', () => {
  it('is found where an API puts it, the newest of several', () => {
    expect(providerCompactionIn(openaiItem)).toBe(0)
    expect(providerCompactionIn(anthropicItem)).toBe(0)
    expect(providerCompactionIn(said(openaiPart))).toBe(0)
    expect(providerCompactionIn(said(text, anthropicPart, text, openaiPart, text))).toBe(3)
    for (const message of others) expect(providerCompactionIn(message)).toBeUndefined()
  })

  it('says who reads it, if anyone says so', () => {
    for (const message of [openaiItem, said(openaiPart)])
      expect(compactedBy(message)).toBe('openai')
    for (const message of [anthropicItem, said(anthropicPart)]) {
      expect(compactedBy(message)).toBe('anthropic')
    }
    for (const message of others) expect(compactedBy(message)).toBeUndefined()
  })

  it('holds the same in each of its forms', () => {
    const ofOpenai = { provider: 'openai', id: 'cmp_1', content: 'sealed' }
    const ofAnthropic = { provider: 'anthropic', content: 'What was.', signature: 'signed' }
    for (const given of [openaiPart, openaiItem]) expect(sealedIn(given)).toEqual(ofOpenai)
    for (const given of [anthropicPart, anthropicItem]) expect(sealedIn(given)).toEqual(ofAnthropic)
  })

  it('holds no name and no seal where there is none, and nothing without its content', () => {
    const custom = (values: Record<string, string>): AssistantPart => ({
      type: 'custom',
      kind: 'openai.compaction',
      providerOptions: { openai: values },
    })
    expect(sealedIn(custom({ encryptedContent: 'sealed' }))).toEqual({
      provider: 'openai',
      content: 'sealed',
    })
    expect(sealedIn(custom({ itemId: 'cmp_1' }))).toBeUndefined()
    expect(sealedIn({ type: 'custom', kind: 'openai.compaction' })).toBeUndefined()
    expect(
      sealedIn({ ...anthropicPart, providerOptions: { anthropic: { type: 'compaction' } } }),
    ).toEqual({ provider: 'anthropic', content: 'What was.' })
    const empty = { anthropic: { block: { type: 'compaction', content: null } } }
    expect(sealedIn({ role: 'system', content: '', providerOptions: empty })).toBeUndefined()
    expect(sealedIn(text)).toBeUndefined()
    expect(sealedIn({ role: 'system', content: 'Be brief.' })).toBeUndefined()
  })

  it('can be taken out, with the message where that is nothing else', () => {
    expect(withoutProviderCompaction(said(text, openaiPart, anthropicPart))).toEqual(said(text))
    for (const whole of [openaiItem, anthropicItem, said(openaiPart), said(anthropicPart)]) {
      expect(withoutProviderCompaction(whole)).toBeUndefined()
    }
    for (const message of others) expect(withoutProviderCompaction(message)).toBe(message)
  })

  it('gives way to a text where nobody can read it, and stays where it is a text', () => {
    const instead: AssistantPart = { type: 'text', text: 'gone' }
    expect(withoutSealed(said(text, openaiPart), 'gone')).toEqual(said(text, instead))
    expect(withoutSealed(openaiItem, 'gone')).toEqual({ role: 'system', content: 'gone' })
    for (const message of [anthropicItem, said(anthropicPart), ...others]) {
      expect(withoutSealed(message, 'gone')).toBe(message)
    }
  })
})

describe('a context', () => {
  const log = logFrom([human('Go.'), assistant([openaiPart, text]), assistant([text])])
  const unreadIn = (provider: string | undefined, ...more: EntryDraft[]): (true | undefined)[] =>
    advanceContext(emptyContext(provider), logFrom([...drafts, ...more])).items.map((item) =>
      item.type === 'message' ? item.unread : undefined,
    )
  const drafts = [human('Go.'), assistant([openaiPart, text]), assistant([text])]
  const refusal: EntryDraft = {
    kind: 'observation',
    at: 0,
    observation: { type: 'blocks', provider: 'refuses' },
  }

  it('shows a compaction to whoever made it, or where nobody says who reads', () => {
    expect(unreadIn('openai')).toEqual([undefined, undefined, undefined])
    expect(unreadIn(undefined)).toEqual([undefined, undefined, undefined])
    expect(unreadIn('anthropic')).toEqual([undefined, true, undefined])
  })

  it('shows none of them once they were refused, nor any that comes later', () => {
    expect(unreadIn('openai', refusal, assistant([openaiPart]))).toEqual([
      undefined,
      true,
      undefined,
      true,
    ])
    // Nothing is changed where there was none, or where none was shown.
    const context = contextOf(log)
    expect(contextOf(logFrom([human('Go.'), refusal])).changedAt).toBe(0)
    expect(contextOf(logFrom([...drafts, refusal])).changedAt).toBe(4)
    expect(contextOf(logFrom([...drafts, refusal, refusal])).changedAt).toBe(4)
    expect(context.changedAt).toBe(0)
  })

  it('shows it to nobody else when another part of its message was clipped', () => {
    const replacements = [{ how: 'clipped' as const, ref: '2.1' as const, text: 'I…' }]
    const prune: EntryDraft = { kind: 'prune', at: 0, base: 3, replacements, metadata: {} }
    expect(unreadIn('anthropic', prune)).toEqual([undefined, true, undefined])
    expect(unreadIn('openai', prune)).toEqual([undefined, undefined, undefined])
  })

  it('shows our summary in place of a block that was refused', () => {
    const checkpoint: EntryDraft = {
      kind: 'checkpoint',
      at: 0,
      base: 3,
      summary: 'It was.',
      summarizer: 'local',
      tail: [],
      continuation: null,
      block: {
        provider: 'openai',
        by: 'openai',
        messages: [said(openaiPart)],
        standing: 'Never push.',
      },
      metadata: {},
    }
    const blockFor = (provider: string | undefined, ...more: EntryDraft[]): unknown => {
      const given = logFrom([...drafts, ...more])
      const [first] = advanceContext(emptyContext(provider), given).items
      return first?.type === 'summary' ? first.block : first
    }
    expect(blockFor('openai', checkpoint)).toEqual(checkpoint.block)
    expect(blockFor('anthropic', checkpoint)).toBeUndefined()
    expect(blockFor(undefined, checkpoint)).toBeUndefined()
    expect(blockFor('openai', checkpoint, refusal)).toBeUndefined()
    expect(blockFor('openai', refusal, { ...checkpoint, base: 4 })).toBeUndefined()
  })
})
