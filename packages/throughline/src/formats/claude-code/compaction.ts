import type { GivenResult } from './state.ts'
import { countOf, fieldsOf, listOf, nameOf, type Fields } from '../../json/fields.ts'
import { placeholder } from '../../compaction/prune/placeholder.ts'
import { ref } from '../../log/ref.ts'
import { unitsBetween, type Chain } from './state.ts'
import type { CheckpointDraft, Metadata, PruneDraft, Seq, TailItem } from '../../log/entry.ts'

/** A compaction made by Claude Code; `summary` is its own text, or one that says there is none. */
export function checkpointDraft(details: {
  at: number
  base: Seq
  summary: string | undefined
  boundary: Fields | undefined
  tail: TailItem[]
  /** A hooks module of ours has made it, out of this very log. */
  ours?: boolean
}): CheckpointDraft {
  const metadata = fieldsOf(details.boundary?.['compactMetadata'])
  return {
    kind: 'checkpoint',
    at: details.at,
    base: details.base,
    summary:
      details.summary ?? 'Claude Code compacted the session here. Its file contains no summary.',
    summarizer: details.ours ? 'throughline' : 'claude-code',
    tail: details.tail,
    continuation: null,
    metadata: {
      ...boundaryMetadata(metadata, details.boundary),
      ...(details.ours && { rung: 'model' }),
    },
  }
}

const longestTail = 2000

/** The entries that a compaction kept word for word, as far as they were read. */
export function preservedTail(chain: Chain, boundary: Fields | undefined): TailItem[] {
  const metadata = fieldsOf(boundary?.['compactMetadata'])
  const units = new Set(preservedUnits(chain, metadata))
  const tail: TailItem[] = []
  for (const unit of [...units].sort((one, other) => one - other)) {
    const last = chain.last[unit] ?? 0
    for (let seq = chain.first[unit] ?? 1; seq <= last; seq++) tail.push({ type: 'entry', seq })
  }
  return tail.slice(-longestTail)
}

function preservedUnits(chain: Chain, metadata: Fields | undefined): number[] {
  const messages = fieldsOf(metadata?.['preservedMessages'])
  const named = listOf(messages?.['allUuids'] ?? messages?.['uuids'])
  const units = named.flatMap((uuid) => chain.unitOf.get(nameOf(uuid) ?? '') ?? [])
  if (units.length > 0) return units
  const segment = fieldsOf(metadata?.['preservedSegment'])
  return unitsBetween(
    chain,
    nameOf(segment?.['headUuid']) ?? '',
    nameOf(segment?.['tailUuid']) ?? '',
  )
}

/** A micro-compaction: the results that it cleared become placeholders. */
export function pruneDraft(
  record: Fields,
  at: number,
  base: Seq,
  results: ReadonlyMap<string, GivenResult>,
): PruneDraft | undefined {
  const metadata = fieldsOf(record['microcompactMetadata'])
  const ids = new Set(listOf(metadata?.['compactedToolIds']).map((id) => nameOf(id) ?? ''))
  const replacements = [...ids].flatMap((id) => {
    const result = results.get(id)
    if (!result) return []
    const name = ref(result.seq, result.part)
    const text = placeholder({ tool: result.tool, bytes: result.bytes, ref: name })
    return [{ how: 'pruned' as const, ref: name, text }]
  })
  if (replacements.length === 0) return undefined
  return {
    kind: 'prune',
    at,
    base,
    replacements,
    metadata: { ...boundaryMetadata(metadata, record), time: { compacted: at } },
  }
}

function boundaryMetadata(metadata: Fields | undefined, record: Fields | undefined): Metadata {
  const trigger = nameOf(metadata?.['trigger'])
  const preTokens = countOf(metadata?.['preTokens'])
  const tokensSaved = countOf(metadata?.['tokensSaved'])
  const uuid = nameOf(record?.['uuid'])
  return {
    ...(trigger && { trigger }),
    ...(preTokens !== undefined && { preTokens }),
    ...(tokensSaved !== undefined && { tokensSaved }),
    ...(uuid && { source: { records: [uuid] } }),
  }
}
