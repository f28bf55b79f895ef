import { fieldsOf, textOf } from '../../json/fields.ts'
import { turnNote } from '../../hosts/context-engine/context-engine.ts'
import type { CompactionAsked } from '../../session/agent/compact-tool.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'

const name = 'compaction-asked'

/** A compaction that was asked for in a turn: in the log, since the host loads its plugins several times. */
export function askedNote({ focus, keep }: CompactionAsked, at: number): EntryDraft {
  const data = { ...(focus && { focus }), ...(keep && { keep }) }
  return { kind: 'observation', at, observation: { type: 'note', name, data } }
}

/** The newest that was asked for, if its turn is over and nothing was compacted since. */
export function askedIn(log: readonly Entry[]): CompactionAsked | undefined {
  const at = log.findLastIndex((entry) => noteIn(entry)?.name === name)
  if (at === -1) return undefined
  const since = log.slice(at + 1)
  const isOver = since.some((entry) => noteIn(entry)?.name === turnNote)
  if (!isOver || since.some(({ kind }) => kind === 'checkpoint' || kind === 'prune'))
    return undefined
  const data = fieldsOf(noteIn(log[at])?.data)
  const [focus, keep] = [textOf(data?.['focus']), textOf(data?.['keep'])]
  return { ...(focus !== undefined && { focus }), ...(keep !== undefined && { keep }) }
}

function noteIn(entry: Entry | undefined) {
  if (entry?.kind !== 'observation' || entry.observation.type !== 'note') return undefined
  return entry.observation
}
