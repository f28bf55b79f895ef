import { fieldsOf, nameOf } from '../../json/fields.ts'
import type { ClientSession } from '../client-session.ts'
import type { Store } from '../../session/store.ts'

const noteName = 'written'

/** Notes that a message of opencode holds a summary of ours. */
export async function noteWritten(
  { at, written }: { at: ClientSession; written: Set<string> },
  record: string,
): Promise<void> {
  written.add(record)
  const observation = { type: 'note', name: noteName, data: { record } } as const
  await at.session.append({ kind: 'observation', at: at.session.now(), observation })
}

/** The messages of opencode that hold summaries of ours. */
export async function writtenIn(store: Store, id: string): Promise<Set<string>> {
  const entries = await store.read(id, { kinds: ['observation'] })
  return new Set(
    entries.flatMap((entry) => {
      if (entry.kind !== 'observation' || entry.observation.type !== 'note') return []
      const { name, data } = entry.observation
      return name === noteName ? (nameOf(fieldsOf(data)?.['record']) ?? []) : []
    }),
  )
}
