import { randomBytes } from 'node:crypto'
import { memoryStore } from 'throughline'
import {
  mostHidden,
  newestIn,
  rememberedRequests,
  tellingOfRedactions,
  twoDaysAgo,
  type GatewayStore,
  type Hidden,
  type LearnedWindow,
  type Mark,
  type Request,
  type SessionRow,
  type WindowAt,
  type World,
} from './gateway-store.ts'

interface Held {
  row: SessionRow
  /** Newest first. */
  requests: Request[]
  kept: Set<Mark>
}

/** A store that lives as long as the process. */
export function memoryGatewayStore(): GatewayStore {
  const hidden = new Map<string, readonly Hidden[]>()
  const logs = tellingOfRedactions(memoryStore(), (session) => void hidden.delete(session))
  const secret = randomBytes(32)
  const held = new Map<string, Held>()
  const links = new Map<string, { session: string; until: number }>()
  const spending = new Map<string, number>()
  const windows = new Map<string, WindowAt & LearnedWindow & { world: World }>()

  const isNewest = (one: Held, mark: Mark): boolean =>
    one.requests[0]?.marks.includes(mark) ?? false
  const has = (one: Held, mark: Mark): boolean =>
    one.kept.has(mark) || one.requests.some(({ marks }) => marks.includes(mark))

  function unlink(id: string): void {
    for (const [hash, { session }] of links) if (session === id) links.delete(hash)
  }

  async function remove(id: string): Promise<void> {
    unlink(id)
    held.delete(id)
    hidden.delete(id)
    await logs.remove(id)
  }

  return {
    logs,
    secret: async () => secret,
    async find(world, marks) {
      for (const mark of marks) {
        const found = [...held.values()]
          .filter((one) => one.row.world === world && has(one, mark))
          .sort(
            (a, b) =>
              Number(isNewest(b, mark)) - Number(isNewest(a, mark)) || b.row.used - a.row.used,
          )[0]
        if (found) return { session: { ...found.row }, mark, newest: isNewest(found, mark) }
      }
      return undefined
    },
    async begin(session, request) {
      if (held.has(session.id)) return
      held.set(session.id, { row: { ...session }, requests: [request], kept: new Set() })
    },
    async move(id, from, request) {
      const one = held.get(id)
      if (!one || !isNewest(one, from)) return false
      one.requests = [request, ...one.requests].slice(0, rememberedRequests)
      one.row.used = request.at
      return true
    },
    async keep(id, marks) {
      const one = held.get(id)
      for (const mark of marks) if (one && has(one, mark)) one.kept.add(mark)
    },
    async hide(id, one) {
      const others = (hidden.get(id) ?? []).filter(({ after }) => after !== one.after)
      if (held.has(id)) hidden.set(id, [...others, one].slice(-mostHidden))
    },
    hidden: async (id) => [...(hidden.get(id) ?? [])],
    async copyHidden(from, as) {
      const known = hidden.get(from)
      if (known && !hidden.has(as)) hidden.set(as, known)
    },
    async link(id, { hash, until }) {
      if (held.has(id)) links.set(hash, { session: id, until })
    },
    async linked(hash, now) {
      for (const [one, { until }] of links) if (until <= now) links.delete(one)
      return links.get(hash)?.session
    },
    unlink: async (id) => unlink(id),
    async spend(budget, period, amount) {
      const total = (spending.get(`${period} ${budget}`) ?? 0) + amount
      spending.set(`${period} ${budget}`, total)
      return total
    },
    async learn(world, { base, model }, learned) {
      const key = JSON.stringify([world, base, model])
      if (learned) windows.set(key, { world, base, model, ...learned })
      else windows.delete(key)
    },
    async learned(world) {
      return [...windows.values()].flatMap(({ world: of, ...one }) => (of === world ? [one] : []))
    },
    async forgetCaller({ worlds, budgets, today }) {
      for (const [key, { world }] of windows)
        if (worlds?.includes(world) ?? true) windows.delete(key)
      for (const key of spending.keys()) {
        const [period = '', budget = ''] = key.split(/ (.*)/s)
        if (budget.startsWith(budgets) && period < today) spending.delete(key)
      }
    },
    newest: (id) => newestIn(logs, id),
    async session(id) {
      const one = held.get(id)
      return one && { ...one.row }
    },
    async sessions(worlds, { most, after } = { most: Infinity }) {
      return [...held.values()]
        .flatMap(({ row }) => (!worlds || worlds.includes(row.world) ? [{ ...row }] : []))
        .filter((row) => !after || lastUsedFirst(after, row) < 0)
        .sort(lastUsedFirst)
        .slice(0, most)
    },
    remove,
    async removeUnused(before) {
      for (const [key, { at }] of windows) if (at < before) windows.delete(key)
      const over = twoDaysAgo(Date.now())
      for (const key of spending.keys()) if (key < over) spending.delete(key)
      const old = [...held.values()].filter(({ row }) => row.used < before)
      for (const { row } of old) await remove(row.id)
      return old.length
    },
    ping: async () => {},
    close: async () => {},
  }
}

type Used = Pick<SessionRow, 'used' | 'id'>

function lastUsedFirst(a: Used, b: Used): number {
  return b.used - a.used || Number(a.id < b.id) - Number(a.id > b.id)
}
