import { expect, test } from 'vitest'
import { human, logOf } from '../testing/hand-made.ts'
import {
  applyChange,
  artifactTrail,
  inventedPaths,
  type ChangedState,
  type Outcome,
} from './artifact-trail.ts'

const outcome: Outcome = new Map<string, Set<ChangedState>>([
  ['a.ts', new Set<ChangedState>(['created', 'edited'])],
  ['src/b.ts', new Set<ChangedState>(['edited'])],
  ['src/c.ts', new Set<ChangedState>(['deleted'])],
])
const missedOf = (kept: string) => artifactTrail(outcome, kept, ['/home/me/here']).missed

test.each([
  '- created a.ts\n- edited ×3 src/b.ts [12]\n- deleted src/c.ts',
  'edited: a.ts ×2, src/b.ts\ndeleted: src/c.ts',
  '- a.ts (created, then edited), `/home/me/here/src/b.ts` — updated the header\n- src/c.ts: removed',
  '## Modified files:\na.ts\nsrc/b.ts\n\n## Deleted:\nsrc/c.ts',
])('every form that a reader understands counts: %s', (kept) => {
  expect(missedOf(kept)).toEqual([])
})

test('a file that is dropped, or said to be in another state, is missed', () => {
  expect(missedOf('created a.ts\nedited src/b.ts')).toEqual(['src/c.ts'])
  expect(missedOf('created a.ts\nedited src/b.ts\nedited src/c.ts')).toEqual(['src/c.ts'])
  expect(missedOf('created aa.ts, lib/src/b.ts\ndeleted src/c.tsx')).toEqual([
    'a.ts',
    'src/b.ts',
    'src/c.ts',
  ])
})

test('a path that the session never held is invented, unless it is marked as unseen', () => {
  const log = logOf([human('look at /home/me/here/src/parser.ts and ../there/go.mod')])
  const invented = (summary: string) => inventedPaths(summary, log, ['/home/me/here'])
  expect(invented('src/parser.ts, /home/me/here/src/parser.ts, /home/me/here')).toEqual([])
  expect(invented('/home/me/there/go.mod')).toEqual([])
  expect(invented('src/parser.ts, src/invented.ts')).toEqual(['src/invented.ts'])
  expect(invented('src/invented.ts (unseen in this session)')).toEqual([])
})

test('a file that is deleted and written again in one go was edited as much as created', () => {
  const outcome: Outcome = new Map()
  applyChange(outcome, { type: 'delete', path: 'src/a.ts' })
  applyChange(outcome, { type: 'create', path: 'src/a.ts' })
  for (const line of ['- edited src/a.ts', '- created src/a.ts']) {
    expect(artifactTrail(outcome, line, []).missed).toEqual([])
  }
  expect(artifactTrail(outcome, '- deleted src/a.ts', []).missed).toEqual(['src/a.ts'])
})
