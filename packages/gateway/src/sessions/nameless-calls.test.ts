import { describe, expect, it } from 'vitest'
import { callerOf } from '../identity/caller.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { requestOf } from '../server/model-request.ts'
import { replicas } from '../testing/replicas.ts'
import type { Sessions } from './sessions.ts'
import { wireFor } from '../wires/wires.ts'
import type { Turn } from './turn.ts'

const replica = replicas({ window: 16_000, isStill: true })

/** An agent whose calls have no ids, as Gemini's API makes them. */
function contentsAfter(steps: number): object[] {
  const name = 'read'
  return [
    { role: 'user', parts: [{ text: 'Read all parts. Never edit main.ts.' }] },
    ...Array.from({ length: steps }, (_, step) => [
      { role: 'model', parts: [{ functionCall: { name, args: { path: `src/${step}.ts` } } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name, response: { output: `${step}: ${'word '.repeat(200)}` } } },
        ],
      },
    ]).flat(),
  ]
}

const path = '/v1beta/models/m:generateContent'
const { wire, route } = wireFor(path) as NonNullable<ReturnType<typeof wireFor>>

async function follow(sessions: Sessions, contents: object[], says = 'Work.') {
  const asked = { contents, systemInstruction: { parts: [{ text: says }] } }
  const body = Buffer.from(JSON.stringify(asked))
  const headers = { 'x-goog-api-key': 'key-1' }
  const caller = callerOf({ headers, search: '' })
  const parts = { wire, route, body, headers, caller, base: 'http://p', path, search: '' }
  const request = requestOf(parts, sessions.bodiesOf(parts)) as NonNullable<
    ReturnType<typeof requestOf>
  >
  const turn = (await sessions.follow(request)) as Turn
  const sent = JSON.parse((turn.body ?? body).toString()) as { contents: object[] }
  return { did: turn.did, sent: sent.contents.map((one) => JSON.stringify(one)) }
}

describe('a conversation over Gemini whose calls have no ids', () => {
  it('goes on under its checkpoint in a process that has not seen it', async () => {
    const store = memoryGatewayStore()
    const first = replica(store)
    let before: string[] = []
    let compacted: number | undefined
    for (let steps = 10; steps <= 70; steps += 1) {
      const { did, sent } = await follow(first, contentsAfter(steps))
      if (did === 'compacted') compacted = steps
      before = sent
    }
    expect(compacted).toBeLessThan(70)
    await first.close()
    const { did, sent } = await follow(replica(store), contentsAfter(71))
    expect(did).toBe('kept')
    expect(sent.slice(0, before.length)).toEqual(before)
  })

  it('goes on under its checkpoint after another agent has asked about it', async () => {
    const sessions = replica(memoryGatewayStore())
    let before: string[] = []
    let steps = 10
    for (let did = ''; did !== 'kept' || before.length < 20; steps += 1) {
      const now = await follow(sessions, contentsAfter(steps))
      did = now.did
      before = now.sent
    }
    const question = { role: 'user', parts: [{ text: 'Make a title for the above.' }] }
    await follow(sessions, [...contentsAfter(20), question], 'Make titles.')
    const { did, sent } = await follow(sessions, contentsAfter(steps))
    expect(did).toBe('kept')
    expect(sent.slice(0, before.length)).toEqual(before)
  })
})
