import { describe, expect, it } from 'vitest'
import { doors, ownLoop, type Walked } from './doors.ts'

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
  console.log('own', own.compactions, cacheShare(own))

  it.each(Object.entries(doors))('has one compaction for each growth: %s', async (name, door) => {
    const walked = await door(steps)
    console.log(name, walked.compactions, cacheShare(walked), walked.requests.length)
    expect(walked.requests).toHaveLength(steps)
    expect(walked.compactions).toBeGreaterThan(0)
    expect(walked.compactions).toBeLessThanOrEqual(own.compactions + 2)
    expect(cacheShare(walked)).toBeGreaterThanOrEqual(0.85)
  })
})
