import { guardsOf } from './guard.ts'

export const oneCompaction = guardsOf('G5', [
  {
    guard: 'usage from before a change of the view is stale',
    file: 'log/context/trusted-usage.ts',
    find: 'measured && measured.seq > changedAt ? measured : undefined',
    replace: 'measured',
  },
  {
    guard: 'a usage far from the estimate is not believed',
    file: 'compaction/measure/measure.ts',
    find: 'if (!explained) return estimate',
    replace: '',
  },
  {
    guard: 'usage of another model is not believed',
    file: 'compaction/measure/measure.ts',
    find: ' || (frame.model && measured.model && measured.model !== frame.model)',
    replace: '',
    tests: ['promises/g05', 'compaction/measure/measure.test.ts'],
  },
  {
    guard: 'compactions wait for each other',
    file: 'session/compacting/compactions.ts',
    find: 'this.#inTurn(() => this.#compactNow(asked))',
    replace: 'this.#compactNow(asked)',
  },
  {
    guard: 'a compaction is committed only to the log that it was planned for',
    file: 'session/stored-log.ts',
    find: 'checkBase(this.#session, this.recent, drafts)',
    replace: '',
    tests: ['promises/g05', 'session/changed-by-others.long.test.ts', 'session/meanwhile.test.ts'],
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
    file: 'session/compacting/compactions.ts',
    find: "return log.slice(indexAfter(log, since)).some(isCompaction) ? 'auto' : trigger",
    replace: 'return trigger',
    tests: ['promises/g05', 'session/meanwhile.test.ts'],
  },
  {
    guard: 'after a compaction its checkpoint is what finished last',
    file: 'log/context/trusted-usage.ts',
    find: "if (entry.kind === 'checkpoint') finish(found, entry)",
    replace: '',
    tests: ['promises/g05', 'log/context/'],
  },
  {
    guard: 'what was requested after the summary is to be done',
    file: 'log/context/trusted-usage.ts',
    find: '  found.tasks = []\n',
    replace: '',
    tests: ['promises/g05', 'log/context/'],
  },
  {
    guard: 'the loop takes its usage from latest()',
    file: 'log/context/context.ts',
    find: 'const { measured = context.measured } = latest(log, { after: context.seq, upTo })',
    replace: 'const { measured } = context',
    tests: ['promises/g05', 'log/context/'],
  },
  {
    guard: 'of latest() only what ended by itself has finished',
    file: 'log/context/trusted-usage.ts',
    find: "if (reason === 'stop' || reason === 'tool-calls') finish(found, entry)",
    replace: 'finish(found, entry)',
    tests: ['promises/g05', 'log/context/'],
  },
])
