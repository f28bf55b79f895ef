import { expect, test } from 'vitest'
import { type Message } from 'throughline'
import { logOf } from 'throughline/engine'
import { messagesOf, peerCompactor } from './peer-compactor.ts'
import { about } from './hand-made-figures.ts'
import type { HostAnswer, HostRequest } from '../peers/protocol.ts'
import type { Peer } from './peer.ts'

const said: Message[] = [
  { role: 'user', content: 'Fix it.' },
  { role: 'assistant', content: 'Done.' },
]

function peerThat(answer: (request: HostRequest) => HostAnswer): Peer {
  return { about, ask: async (request) => answer(request), close: () => {} }
}

test('a peer sees the messages, and what it handed back with its last answer', async () => {
  const requests: HostRequest[] = []
  const peer = peerThat((request) => {
    requests.push(request)
    const messages: Message[] = [{ role: 'user', content: 'summary' }]
    return { type: 'compacted', answer: { messages, summary: 's', state: 7 }, asked: [] }
  })
  const compactor = peerCompactor(peer)
  const first = await compactor.compact({ log: logOf(said), keep: 100, directories: [] })
  expect(first).toMatchObject({ summary: 's', messages: [{ content: 'summary' }] })
  await compactor.compact({ log: first.log, keep: 100, directories: [] })
  expect(requests).toMatchObject([
    { request: { messages: said, keep: 100, state: undefined } },
    { request: { messages: [{ content: 'summary' }], state: 7 } },
  ])
})

test('a peer that fails says why', async () => {
  const compactor = peerCompactor(peerThat(() => ({ type: 'failed', problem: 'No room.' })))
  const request = { log: logOf(said), keep: 100, directories: [] }
  await expect(compactor.compact(request)).rejects.toThrow('No room.')
})

test('a result of a call that the provider ran stands behind its call', () => {
  const output = { type: 'text' as const, value: 'found' }
  const call = { toolCallId: '1', toolName: 'web_search' }
  const ran: Message = {
    role: 'assistant',
    content: [
      { type: 'tool-call', ...call, input: {}, providerExecuted: true },
      { type: 'tool-result', ...call, output },
    ],
  }
  expect(messagesOf(logOf([said[0] as Message, ran])).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
  ])
})
