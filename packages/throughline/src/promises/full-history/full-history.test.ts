import { describe, expect, it } from 'vitest'
import { ownLoop, sessionDoors } from './doors.ts'
import { statelessDoors } from './stateless-doors.ts'
import type { Walked } from './walked.ts'

const steps = 150

/** How much of what was sent stood, byte for byte, at the beginning of the request before. */
function cacheShare({ requests }: Walked): number {
  let shared = 0
  let sent = 0
  let before = ''
  for (const request of requests) {
    const text = request.map((message) => JSON.stringify(message)).join('\n')
    shared += commonLength(before, text)
    sent += text.length
    before = text
  }
  return shared / sent
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length += 1
  return length
}

describe('a host that hands over its whole history at every step', async () => {
  const own = await ownLoop(steps)

  it.each(Object.entries({ ...sessionDoors, ...statelessDoors }))(
    'has one compaction for each growth: %s',
    async (_, door) => {
      const walked = await door(steps)
      expect(walked.requests).toHaveLength(steps)
      expect(walked.compactions).toBeGreaterThan(0)
      expect(walked.compactions).toBeLessThanOrEqual(own.compactions)
      expect(cacheShare(walked)).toBeGreaterThanOrEqual(0.9)
    },
  )
})
