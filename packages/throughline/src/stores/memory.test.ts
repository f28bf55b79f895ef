import { describe, expect, test } from 'vitest'
import { storeConformance } from '../testing/conformance/store-conformance.ts'
import { frozenCopy, memoryStore } from './memory.ts'

describe('memoryStore', () => {
  for (const { name, run } of storeConformance) {
    test(name, async () => {
      await expect(run(memoryStore)).resolves.toBeUndefined()
    })
  }
})

describe('frozenCopy', () => {
  test('leaves the original changeable and keeps bytes and URLs as they are', () => {
    const original = { list: [{ a: 1 }], bytes: new Uint8Array([1]), url: new URL('http://a.b/') }
    const copy = frozenCopy(original)
    original.list.push({ a: 2 })
    expect(copy.list).toEqual([{ a: 1 }])
    expect(copy.bytes).toBe(original.bytes)
    expect(copy.url).toBe(original.url)
    expect(() => copy.list.push({ a: 3 })).toThrow(TypeError)
  })
})
