import { describe, expect, test } from 'vitest'
import { draftsOf, logOf, pairProblems } from '../../testing/conformance/format-conformance.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { factsIn } from '../testing/outline.ts'
import { seen } from '../testing/seen.ts'
import { pi } from './format.ts'

type Fields = Record<string, unknown>

const header = { type: 'session', version: 3, id: 's', timestamp: '' }

function entry(id: string, parentId: string | null, fields: Fields): Fields {
  return { id, parentId, ...fields }
}

function said(id: string, parentId: string | null, role: string, content: unknown): Fields {
  return entry(id, parentId, { type: 'message', message: { role, content, toolCallId: 'c1' } })
}

function compaction(id: string, parentId: string, firstKeptEntryId?: string): Fields {
  return entry(id, parentId, {
    type: 'compaction',
    summary: 'Sum.',
    firstKeptEntryId,
    tokensBefore: 9,
  })
}

const label = (id: string, parentId: string): Fields => entry(id, parentId, { type: 'label' })
const words = (text: string): Fields[] => [{ type: 'text', text }]
const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: {} }

const work = [
  header,
  said('u1', null, 'user', 'one'),
  said('a1', 'u1', 'assistant', [call]),
  said('r1', 'a1', 'toolResult', words('read')),
  said('a2', 'r1', 'assistant', words('first')),
  said('u2', 'a2', 'user', 'two'),
  said('a3', 'u2', 'assistant', words('second')),
]

describe('branches', () => {
  test('only the branch of the newest entry is what the model sees', () => {
    const other = said('u3', 'a2', 'user', 'two, better')
    expect(seen(pi, [...work, other])).toEqual(['one', 'tool-call', 'read', 'first', 'two, better'])
    expect(draftsOf(pi, [...work, other])).toContainEqual({ kind: 'rewind', at: 0, to: 4 })
  })

  test('going back may go to the very beginning, and forth again', () => {
    const anew = said('u3', null, 'user', 'anew')
    expect(seen(pi, [...work, anew])).toEqual(['anew'])
    expect(seen(pi, [...work, anew, said('u4', 'a3', 'user', 'three')])).toEqual([
      'one',
      'tool-call',
      'read',
      'first',
      'two',
      'second',
      'three',
    ])
  })

  test('the summary of a branch is told where the conversation goes on', () => {
    const summary = entry('b1', 'a2', { type: 'branch_summary', fromId: 'a3', summary: 'Tried.' })
    expect(seen(pi, [...work, summary]).at(-1)).toContain('<summary>\nTried.</summary>')
  })

  test('an entry that the model does not see can be gone back to, and is no view of its own', () => {
    const records = [...work, label('l1', 'a3'), said('u3', 'l1', 'user', 'three')]
    const back = said('u4', 'l1', 'user', 'three, better')
    expect(seen(pi, [...records, back]).slice(-2)).toEqual(['second', 'three, better'])
    expect(draftsOf(pi, records).some(({ kind }) => kind === 'rewind')).toBe(false)
  })

  test('an entry whose parent is not there follows the newest one', () => {
    const records = [...work, said('u3', 'torn', 'user', 'three'), said('u3', 'x', 'user', 'twice')]
    expect(seen(pi, records).at(-1)).toBe('three')
    expect(factsIn(pi, records).omitted).toEqual({ duplicate: 1 })
  })

  test('entries whose parents form a circle are all read, in the order of the file', () => {
    const circle = [
      header,
      said('u1', 'a2', 'user', 'one'),
      said('a1', 'u1', 'assistant', words('first')),
      said('u2', 'a1', 'user', 'two'),
      said('a2', 'u2', 'assistant', words('second')),
    ]
    expect(seen(pi, circle)).toEqual(['one', 'first', 'two', 'second'])
    expect(factsIn(pi, circle).omitted).toBeUndefined()
  })
})

describe('compactions', () => {
  test('a compaction keeps the entries from the one that it names', () => {
    const records = [...work, compaction('k1', 'a3', 'u2'), said('u3', 'k1', 'user', 'three')]
    expect(seen(pi, records)).toEqual(['summary: Sum.', 'two', 'second', 'three'])
    expect(draftsOf(pi, records)[6]).toMatchObject({
      kind: 'checkpoint',
      base: 6,
      summarizer: 'pi',
      continuation: null,
      metadata: { preTokens: 9, source: { records: ['k1'] } },
    })
  })

  test('the first kept entry may be one that the model does not see', () => {
    const records = [
      ...work,
      label('l1', 'a3'),
      said('u3', 'l1', 'user', 'three'),
      compaction('k1', 'u3', 'l1'),
    ]
    expect(seen(pi, records)).toEqual(['summary: Sum.', 'three'])
  })

  test('what lies on another branch is not kept', () => {
    const records = [...work, said('u3', 'a2', 'user', 'two, better'), compaction('k1', 'u3', 'a2')]
    expect(seen(pi, records)).toEqual(['summary: Sum.', 'first', 'two, better'])
    const gone = [...records.slice(0, -1), compaction('k1', 'u3', 'u2')]
    expect(seen(pi, gone)).toEqual(['summary: Sum.'])
  })

  test('a kept entry that the file does not hold keeps nothing', () => {
    expect(seen(pi, [...work, compaction('k1', 'a3', 'gone')])).toEqual(['summary: Sum.'])
    expect(seen(pi, [...work, compaction('k1', 'a3')])).toEqual(['summary: Sum.'])
  })

  test('going back to before a compaction brings back what it took', () => {
    const records = [...work, compaction('k1', 'a3', 'u2'), said('u3', 'a2', 'user', 'else')]
    expect(seen(pi, records)).toEqual(['one', 'tool-call', 'read', 'first', 'else'])
  })

  test('a later compaction may keep what an earlier one kept, and no summary', () => {
    const records = [
      ...work,
      compaction('k1', 'a3', 'u2'),
      said('u3', 'k1', 'user', 'three'),
      compaction('k2', 'u3', 'a3'),
    ]
    expect(seen(pi, records)).toEqual(['summary: Sum.', 'second', 'three'])
  })

  test('version 1 names the first kept entry by its place in the file', () => {
    const flat = work.map((record: Fields) => ({ ...record, id: undefined, parentId: undefined }))
    const compacted = { type: 'compaction', summary: 'Sum.', firstKeptEntryIndex: 5 }
    const records: Fields[] = [...flat, compacted, { type: 'thinking_level_change' }]
    expect(seen(pi, records)).toEqual(['summary: Sum.', 'two', 'second'])
    expect(draftsOf(pi, records).at(-1)).toMatchObject({ metadata: {} })
    const level = { type: 'thinking_level_change' }
    const unseen = [...flat.slice(0, 5), level, ...flat.slice(5), compacted]
    expect(seen(pi, unseen)).toEqual(['summary: Sum.', 'two', 'second'])
  })
})

describe('what the user edited', () => {
  const edit = (id: string, parentId: string, targetId: string, content?: unknown): Fields =>
    entry(id, parentId, {
      type: 'context_edit',
      targetId,
      replacement: content === undefined ? null : { content },
    })

  test('what was taken out is seen no more, and asks for nothing', () => {
    const records = [...work, edit('e1', 'a3', 'u1'), said('u3', 'e1', 'user', 'three')]
    const log = logOf(draftsOf(pi, records))
    expect(seen(pi, records)).toEqual(['tool-call', 'read', 'first', 'two', 'second', 'three'])
    expect(factsOf(log).requests.map(({ text }) => text)).toEqual(['two', 'three'])
  })

  test('a reply that was taken out goes with the results of its calls', () => {
    const records = [...work, edit('e1', 'a3', 'a1')]
    expect(seen(pi, records)).toEqual(['one', 'first', 'two', 'second'])
    expect(pairProblems(logOf(draftsOf(pi, records)))).toEqual([])
  })

  test('what was said anew stands where the old words stood', () => {
    const records = [...work, edit('e1', 'a3', 'u1', 'uno'), edit('e2', 'e1', 'r1', words('less'))]
    expect(seen(pi, records)).toEqual(['uno', 'tool-call', 'less', 'first', 'two', 'second'])
  })

  test('an edit is taken back by going back to before it', () => {
    const records = [...work, edit('e1', 'a3', 'u1'), said('u3', 'a3', 'user', 'three')]
    expect(seen(pi, records)).toEqual([...seen(pi, work), 'three'])
  })

  test('what a compaction kept is taken out all the same', () => {
    const records = [...work, compaction('k', 'a3', 'u2'), edit('e1', 'k', 'u2')]
    const [summary, taken, ...rest] = seen(pi, records)
    expect([summary, ...rest]).toEqual(['summary: Sum.', 'second'])
    expect(taken).toContain('was taken out')
  })

  test('an edit of what is not there changes nothing', () => {
    expect(seen(pi, [...work, edit('e1', 'a3', 'nowhere')])).toEqual(seen(pi, work))
  })
})
