import { afterEach } from 'vitest'
import { Sessions } from '../sessions/sessions.ts'
import type { GatewayStore } from '../store/gateway-store.ts'

interface ReplicaSettings {
  /** Tokens. */
  window: number
  /** Whether its clock stands still, and nothing is written behind an answer before it is asked for. */
  isStill?: boolean
}

/** Makes the sessions of replicas that ask no model for a summary, and closes them after each test. */
export function replicas({
  window,
  isStill = false,
}: ReplicaSettings): (store: GatewayStore) => Sessions {
  const open: Sessions[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  return (store) => {
    const sessions = new Sessions({
      store,
      upstream: { send: () => Promise.reject(new TypeError('Not asked.')), close: async () => {} },
      settings: () => ({ window: { context: window }, summaryModel: false }),
      ...(isStill && { now: () => 1, writesBehind: 2 ** 31 - 1 }),
    })
    open.push(sessions)
    return sessions
  }
}
