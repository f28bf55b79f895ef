import { describe, expect, it } from 'vitest'
import {
  attachmentText,
  carriesMedia,
  describeMedia,
  earlierReplacements,
  hasMedia,
  keptReplacements,
  mediaIn,
} from './describe-media.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Message } from '../../log/message.ts'

const asked: Message = {
  role: 'user',
  content: [
    { type: 'text', text: 'Look.' },
    { type: 'image', image: 'aaaa', mediaType: 'image/png' },
    { type: 'image', image: 'aaaa' },
    { type: 'file', data: 'aaaa', mediaType: 'application/pdf', filename: 'a.pdf' },
  ],
}
const shown: Message = {
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: 'a',
      toolName: 'Read',
      output: { type: 'text', value: 'x' },
    },
    {
      type: 'tool-result',
      toolCallId: 'b',
      toolName: 'screenshot',
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'Here it is.' },
          { type: 'image-data', data: 'aaaa', mediaType: 'image/png' },
        ],
      },
    },
    {
      type: 'tool-result',
      toolCallId: 'c',
      toolName: 'screenshot',
      output: { type: 'content', value: [{ type: 'text', text: 'None.' }] },
    },
  ],
}

describe('media as text', () => {
  it('are named by type and file', () => {
    expect(attachmentText({ mediaType: 'image/png' })).toBe('[Attached image/png]')
    expect(attachmentText({ mediaType: 'image/png', filename: 'a.png' })).toBe(
      '[Attached image/png: a.png]',
    )
    expect(attachmentText({})).toBe('[Attached file]')
  })

  it('stand in their place, wherever they are in a message', () => {
    expect(describeMedia(asked, 7)).toEqual([
      {
        how: 'described',
        ref: '7.1',
        text: '[Attached image/png] [… left out here; the whole is ref 7.1 …]',
      },
      {
        how: 'described',
        ref: '7.2',
        text: '[Attached image] [… left out here; the whole is ref 7.2 …]',
      },
      {
        how: 'described',
        ref: '7.3',
        text: '[Attached application/pdf: a.pdf] [… left out here; the whole is ref 7.3 …]',
      },
    ])
  })

  it('leave the words of a result that carries some', () => {
    const described = describeMedia(shown, 8)
    expect(described.map(({ ref }) => ref)).toEqual(['8.1'])
    expect(described[0]).toMatchObject({
      text: expect.stringMatching(
        /^Here it is\.[^]*\[Attached image\/png\] \[… left out here; the whole is ref 8\.1 …\]$/,
      ),
    })
  })
})

describe('whether there are media', () => {
  it('is asked of a message, and of a part', () => {
    expect(hasMedia(asked)).toBe(true)
    expect(hasMedia({ role: 'user', content: [{ type: 'image', image: 'aaaa' }] })).toBe(true)
    expect(
      hasMedia({ role: 'user', content: [{ type: 'file', data: 'a', mediaType: 'text/plain' }] }),
    ).toBe(true)
    expect(hasMedia({ role: 'user', content: 'Look.' })).toBe(false)
    expect(carriesMedia({ type: 'text', text: 'Look.' })).toBe(false)
    expect(carriesMedia({ type: 'image', image: 'aaaa' })).toBe(true)
  })

  it('is counted in what the context shows', () => {
    const item: ContextItem = { type: 'message', seq: 7, message: asked, origin: 'human' }
    expect(mediaIn(item)).toBe(3)
    expect(mediaIn({ type: 'pin', seq: 8, text: 'x' })).toBe(0)
  })
})

describe('what stands in place of parts', () => {
  const replacements = [{ how: 'clipped', ref: '7.0', text: 'Lo' }] as const
  const item: ContextItem = {
    type: 'message',
    seq: 7,
    message: asked,
    origin: 'human',
    replacements,
  }

  it('is what did before, and, where media go, their names', () => {
    expect(earlierReplacements(item)).toEqual(replacements)
    expect(keptReplacements(item)).toEqual([...replacements, ...describeMedia(asked, 7)])
  })

  it('is nothing in what is no message', () => {
    expect(earlierReplacements({ type: 'pin', seq: 8, text: 'x' })).toEqual([])
    expect(keptReplacements({ type: 'pin', seq: 8, text: 'x' })).toEqual([])
  })
})
