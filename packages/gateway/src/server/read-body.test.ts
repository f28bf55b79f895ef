import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decodedBody } from './read-body.ts'

const limit = 64 * 1_048_576

it('a packed body that would become far longer than it is is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(60 * 1_048_576, '['))
  expect(bomb.length).toBeLessThan(100_000)
  expect(await decodedBody(bomb, 'gzip', limit)).toBeUndefined()
})

it('a packed conversation is', async () => {
  const said = Array.from({ length: 20_000 }, (_, at) => `{"role":"user","content":"line ${at}"}`)
  const body = Buffer.from(`{"messages":[${said.join(',')}]}`)
  expect(await decodedBody(gzipSync(body), 'gzip', limit)).toEqual(body)
  const dull = Buffer.from('and so on\n'.repeat(90_000))
  expect(await decodedBody(gzipSync(dull), 'gzip', limit)).toEqual(dull)
})
