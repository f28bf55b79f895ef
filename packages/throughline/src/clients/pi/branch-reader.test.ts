import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchReader } from './compaction.ts'
import { piEntries } from '../../formats/pi/sample.ts'
import type { PiEntry } from './api.ts'

const at = { id: 's', cwd: '/code' }
const all = piEntries.slice(1) as PiEntry[]
const other = all.map((entry) => structuredClone(entry))

describe('a branch that is read as it grows', () => {
  test('is what the same branch is when it is read at once, also after pi went back', () => {
    const branch = fc.record({ own: fc.nat(all.length), further: fc.nat(3) })
    const branches = fc.array(branch, { maxLength: 12 })
    fc.assert(
      fc.property(branches, (seen) => {
        const read = branchReader(at, undefined)
        for (const { own, further } of seen) {
          const entries = [...all.slice(0, own), ...other.slice(own, own + further)]
          expect(read(entries)).toEqual(branchReader(at, undefined)(entries))
        }
      }),
    )
  })

  test('reads no entry twice where it only grows', () => {
    let reads = 0
    const counted = all.slice(0, 3).map((entry) =>
      Object.defineProperty({ ...entry }, 'timestamp', {
        get: () => {
          reads += 1
          return entry['timestamp']
        },
      }),
    )
    const read = branchReader(at, undefined)
    // The third entry answers with calls, whose results are yet to come.
    for (const length of [1, 2]) read(counted.slice(0, length))
    const once = reads
    read(counted.slice(0, 2))
    expect(reads).toBe(once)
  })
})
