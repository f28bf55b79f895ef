import { expect, test } from 'vitest'
import { about } from './hand-made-figures.ts'
import { measureGrowth } from './growth.ts'
import { compareSpeed } from './speed.ts'
import type { HostAnswer, HostRequest } from '../peers/protocol.ts'
import type { Peer } from './peer.ts'

const peerThat = (answer: (request: HostRequest) => HostAnswer): Peer => ({
  about,
  ask: async (request) => answer(request),
  close: () => {},
})
const taking = (own: number, heap: number): Peer =>
  peerThat(() => ({ type: 'timed', timing: { own, heap } }))
const message = { role: 'user' as const, content: 'Hello.' }

test('a peer is compared round by round, in time and in memory', async () => {
  const speed = await compareSpeed(taking(30, 500), taking(10, 1_000), [[message]], 8_000)
  expect(speed).toMatchObject({
    work: 'trims',
    time: { least: 3, median: 3, most: 3 },
    memory: { least: 0.5, median: 0.5, most: 0.5 },
  })
})

test('a round that was far off shows in the spread, and hardly in the median', async () => {
  let round = 0
  const unsteady = peerThat(() => {
    round += 1
    return { type: 'timed', timing: { own: round === 3 ? 500 : 10, heap: 1 } }
  })
  const { time } = await compareSpeed(unsteady, taking(10, 1), [[message]], 8_000)
  expect(time).toEqual({ least: 1, median: 1, most: 50 })
})

test('growth is told by the time of one copy, and ends at the size that has no answer', async () => {
  const peer = peerThat((request): HostAnswer => {
    const copies = request.type === 'time' ? request.copies : 0
    return copies === 100
      ? { type: 'failed', problem: 'No answer after 60 seconds.' }
      : { type: 'timed', timing: { own: copies * copies * 5, heap: 0 } }
  })
  const growth = await measureGrowth(peer, [message], { keep: 8_000, copies: [10, 100, 1_000] })
  expect(growth.sizes).toEqual([
    { copies: 10, time: 100 },
    { copies: 100, problem: 'No answer after 60 seconds.' },
  ])
})

test('a peer that fails is no speed', async () => {
  const failing = peerThat(() => ({ type: 'failed', problem: 'No room.' }))
  await expect(compareSpeed(failing, taking(1, 1), [[message]], 8_000)).rejects.toThrow('No room.')
})
