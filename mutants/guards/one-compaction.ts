import { guardsOf } from './guard.ts'

export const oneCompaction = guardsOf('G5', [
  {
    guard: 'usage from before a change of the view is stale',
    file: 'log/context.ts',
    find: 'context.changedAt = seq\n  context.measured = undefined',
    replace: 'context.changedAt = seq',
  },
  {
    guard: 'a usage far from the estimate is not believed',
    file: 'compaction/plan/measure.ts',
    find: 'if (!explained) return estimate',
    replace: '',
  },
  {
    guard: 'usage of another model is not believed',
    file: 'compaction/plan/measure.ts',
    find: ' || (frame.model && measured.model && measured.model !== frame.model)',
    replace: '',
    tests: ['promises/g05', 'compaction/plan/measure.test.ts'],
  },
  {
    guard: 'compactions wait for each other',
    file: 'session/session.ts',
    find: 'this.#oneAtATime(() => compactSession(this.#compacting, this.#background, asked))',
    replace: 'compactSession(this.#compacting, this.#background, asked)',
  },
  {
    guard: 'a compaction is committed only to the log that it was planned for',
    file: 'session/stored-log.ts',
    find: 'checkBase(this.#session, this.recent, drafts)',
    replace: '',
    tests: ['promises/g05', 'session/changed-by-others.test.ts', 'session/meanwhile.test.ts'],
  },
  {
    guard: 'the store compares and swaps',
    file: 'stores/condition.ts',
    find: 'if (expected !== newest) throw',
    replace: 'if (false) throw',
  },
  {
    guard: 'the commit hands the newest seq to the store',
    file: 'session/stored-log.ts',
    find: 'return await this.#append(drafts, { newest })',
    replace: 'return await this.#append(drafts, {})',
  },
  {
    guard: 'behind somebody else’s compaction an overflow compacts only what does not fit',
    file: 'session/compacting/compact-session.ts',
    find: "return log.slice(indexAfter(log, since)).some(isCompaction) ? 'auto' : trigger",
    replace: 'return trigger',
    tests: ['promises/g05', 'session/meanwhile.test.ts'],
  },
])
