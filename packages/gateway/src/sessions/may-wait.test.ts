import { describe, expect, it } from 'vitest'
import { mayWait, type Standing } from './standing.ts'
import type { ModelRequest } from '../server/model-request.ts'

const standing = { threshold: 80_000, window: { context: 100_000 } } as Standing
const asking = (output?: number) => ({ asked: { output } }) as unknown as ModelRequest

describe('a request for which a compaction is due goes out before it', () => {
  it('where it takes at most a quarter of what is reserved for the answer', () => {
    expect(mayWait(standing, 85_000, asking())).toBe(true)
    expect(mayWait(standing, 85_001, asking())).toBe(false)
  })

  it('where what it asks for as its answer still fits behind it', () => {
    expect(mayWait(standing, 84_000, asking(16_000))).toBe(true)
    expect(mayWait(standing, 84_000, asking(16_001))).toBe(false)
  })

  it('where a limit of the input is not passed, and never where there is no threshold', () => {
    const limited = { ...standing, window: { context: 100_000, input: 84_000 } }
    expect(mayWait(limited, 81_000, asking())).toBe(true)
    expect(mayWait(limited, 81_001, asking())).toBe(false)
    expect(mayWait({ ...standing, threshold: 0 }, 1, asking())).toBe(false)
  })
})
