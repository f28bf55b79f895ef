import type { Ref, Seq } from '../src/log/entry.ts'
import type { Actions, PageData } from './data.ts'

/** Follows the session that a server reads, and gets what is new of it. */
export function follow(
  current: () => PageData,
  show: (data: PageData) => void,
  tell: (state: 'live' | 'lost') => void,
): () => void {
  const events = new EventSource('events')
  let busy = false
  let again = false
  const update = async (): Promise<void> => {
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      show(await newest(current()))
      tell('live')
    } catch {
      tell('lost')
    }
    busy = false
    if (again) {
      again = false
      await update()
    }
  }
  events.addEventListener('changed', () => void update())
  // What changed before the connection stood, or while it was broken, was told to nobody.
  events.addEventListener('open', () => void update())
  events.addEventListener('error', () => tell('lost'))
  return () => events.close()
}

/** The newest report; entries that the page has are not sent again. */
export async function newest(known: PageData): Promise<PageData> {
  const response = await fetch('report.json', { cache: 'no-store' })
  if (!response.ok) throw new Error(await response.text())
  const data = (await response.json()) as PageData
  const old = new Map(known.model.entries.map((entry) => [entry.seq, entry]))
  // The same object for what has not changed: it is not drawn again.
  const entries = data.model.entries.map((entry) => {
    const before = old.get(entry.seq)
    return before && JSON.stringify(before) === JSON.stringify(entry) ? before : entry
  })
  return { ...data, model: { ...data.model, entries } }
}

/** What a stored session may have done to it. */
export function actionsOf(done: () => Promise<void>, failed: (message: string) => void): Actions {
  const post = async (name: string, body: object): Promise<void> => {
    const response = await fetch(name, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) return failed(await response.text())
    await done()
  }
  const safely = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)))
  return {
    undo: () => safely(post('undo', {})),
    pin: (ref: Ref) => safely(post('pin', { ref })),
    unpin: (pin: Seq) => safely(post('unpin', { pin })),
    annotate: (of: Seq, text: string) => safely(post('annotate', { of, text })),
  }
}
