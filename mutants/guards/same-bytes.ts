import { guardsOf } from './guard.ts'

export const sameBytes = guardsOf('G9', [
  {
    guard: 'what was rendered is not rendered anew',
    file: 'log/open-calls.ts',
    find: "output: { type: 'error-text', value: abortedResult },",
    replace: "output: { type: 'error-text', value: `${abortedResult}${Math.random()}` },",
    tests: ['promises/g09', 'compaction/render/render.test.ts'],
  },
  {
    guard: 'a result that is moved to its step changes the view',
    file: 'log/context/context.ts',
    find: 'viewChanged(context, withItemAt(context, at, itemOf(entry)), entry.seq)',
    replace: 'context.items = withItemAt(context, at, itemOf(entry))',
  },
  {
    guard: 'a pruning is one batch: it changes the view once',
    file: 'log/context/context.ts',
    find: 'viewChanged(context, prunedItems(context, entry, log), entry.seq)',
    replace: 'context.items = prunedItems(context, entry, log)',
  },
  {
    guard: 'a checkpoint changes the view',
    file: 'log/context/context.ts',
    find: 'viewChanged(context, checkpointItems(context, entry, log), entry.seq)',
    replace: 'context.items = checkpointItems(context, entry, log)',
  },
  {
    guard: 'a summary by code has no clock and no chance in it',
    file: 'compaction/rungs.ts',
    find: 'count: counter.text,\n    template,\n    beside',
    replace:
      'count: (text) => counter.text(text) * (0.5 + Math.random()),\n    template,\n    beside',
  },
])

export const continueIsHidden = guardsOf('G10', [
  {
    guard: 'in the middle of a task the model is told to go on',
    file: 'compaction/continuation/continuation.ts',
    find: 'return midTask()',
    replace: 'return null',
  },
  {
    guard: 'an idle session is not set going',
    file: 'compaction/continuation/continuation.ts',
    find: "return finished ? { state: 'idle' } : { state: 'mid-task' }",
    replace: "return { state: 'mid-task' }",
    tests: ['promises/g10', 'compaction/original-cases.test.ts'],
  },
  {
    guard: 'synthetic messages are not in the history',
    file: 'log/history.ts',
    find: "return entry.origin !== 'synthetic' && entry.metadata?.compaction_continue !== true",
    replace: 'return entry.metadata?.compaction_continue !== true',
  },
  {
    guard: 'continuations of other harnesses are not in the history',
    file: 'log/history.ts',
    find: "return entry.origin !== 'synthetic' && entry.metadata?.compaction_continue !== true",
    replace: "return entry.origin !== 'synthetic'",
  },
])
