import { expect, test } from 'vitest'
import { messageText } from '../../log/message.ts'
import { openclawReader } from './reader.ts'
import type { Fields } from '../../json/fields.ts'

test('what OpenClaw says to itself and its commands are no human’s, and each person is named', () => {
  const said: Fields[] = [
    { content: 'Never push.', __openclaw: { senderId: '1', senderName: 'Ann' } },
    { content: '[OpenClaw heartbeat poll]', provenance: { kind: 'internal_system' } },
    { content: '/throughline doctor' },
    { content: '/think high' },
    { content: '/tmp is full. Never delete /data.' },
    { content: '/new Never push.' },
    { content: 'Go on.' },
  ]
  const reader = openclawReader()
  const drafts = said.flatMap((message, at) =>
    reader.push({
      type: 'message',
      id: `m${at}`,
      parentId: at === 0 ? null : `m${at - 1}`,
      message: { role: 'user', timestamp: at + 1, ...message },
    }),
  )
  const read = [...drafts, ...reader.end()].flatMap((draft) =>
    draft.kind === 'message' ? [[draft.origin, messageText(draft.message)]] : [],
  )
  expect(read).toEqual([
    ['human', '[Ann] Never push.'],
    ['harness', '[OpenClaw heartbeat poll]'],
    ['harness', '/throughline doctor'],
    ['harness', '/think high'],
    ['human', '/tmp is full. Never delete /data.'],
    ['human', '/new Never push.'],
    ['human', 'Go on.'],
  ])
})
