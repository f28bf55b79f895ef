import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { BodyRoom } from './body-room.ts'
import { decodedBody } from './read-body.ts'
import { RefusedError } from './refusals.ts'

const limit = 64 * 1_048_576
const caller = { keys: ['one'], identity: [] }
const given = { limit, room: new BodyRoom(2 * limit).for(caller) }

it('a packed body that would become far longer than it is is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(60 * 1_048_576, '['))
  expect(bomb.length).toBeLessThan(100_000)
  expect(await decodedBody(bomb, 'gzip', given)).toBeUndefined()
})

it('a packed conversation is', async () => {
  const said = Array.from({ length: 20_000 }, (_, at) => `{"role":"user","content":"line ${at}"}`)
  const body = Buffer.from(`{"messages":[${said.join(',')}]}`)
  expect(await decodedBody(gzipSync(body), 'gzip', given)).toEqual(body)
  const dull = Buffer.from('and so on\n'.repeat(90_000))
  expect(await decodedBody(gzipSync(dull), 'gzip', given)).toEqual(dull)
})

it('a packed body takes its room while it is unpacked, and no more than there is', async () => {
  const room = new BodyRoom(1_000_000).for(caller)
  let most = 0
  let taken = 0
  const counting = {
    ...room,
    take(bytes: number) {
      room.take(bytes)
      most = Math.max(most, (taken += bytes))
    },
  }
  const body = gzipSync(Buffer.alloc(900_000, 'word '))
  const unpacked = decodedBody(body, 'gzip', { limit, room: counting })
  await expect(unpacked).rejects.toThrow(RefusedError)
  expect(most).toBeLessThanOrEqual(500_000)
})

it('what was unpacked in vain is given back', async () => {
  const room = new BodyRoom(16_000_000).for(caller)
  expect(await decodedBody(gzipSync(Buffer.alloc(60_000_000)), 'gzip', { limit, room })).toBe(
    undefined,
  )
  room.take(8_000_000)
})
