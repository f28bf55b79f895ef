import { guardsOf } from './guard.ts'

export const pairsStayWhole = guardsOf('G4', [
  {
    guard: 'an aborted call gets its synthetic result',
    file: 'compaction/render/render.ts',
    find: 'const message = abortedResults(progress.step)',
    replace: 'const message = undefined as ReturnType<typeof abortedResults>',
  },
  {
    guard: 'a message without content still ends the wait for results',
    file: 'compaction/render/render.ts',
    find: 'if (!message) return closeOpenCalls(progress, item.seq)',
    replace: 'if (!message) return',
    tests: ['promises/g04', 'compaction/render/render.test.ts'],
  },
  {
    guard: 'an empty assistant message is not sent',
    file: 'compaction/render/render.ts',
    find: 'return isSaid && isBlank(message) ? undefined : message',
    replace: 'return message',
  },
  {
    guard: 'reasoning that was refused goes',
    file: 'compaction/render/render.ts',
    find: '.filter((part) => !isReasoning(part))',
    replace: '',
    tests: ['promises/g04', 'compaction/render/render.test.ts'],
  },
  {
    guard: 'reasoning of the current loop stays',
    file: 'log/context/kept-reasoning.ts',
    find: '(index >= loop || taken.demanded)',
    replace: 'taken.demanded',
    tests: ['promises/g04'],
  },
  {
    guard: 'a step that cannot keep the reasoning that is demanded goes whole',
    file: 'log/context/kept-reasoning.ts',
    find: 'if (!demanded) return changed',
    replace: 'if (!demanded || refused) return changed',
    tests: ['promises/g04'],
  },
  {
    guard: 'item ids go with their reasoning',
    file: 'compaction/render/render.ts',
    find: '.map(withoutItemId)',
    replace: '',
    tests: ['promises/g04', 'compaction/render/render.test.ts'],
  },
  {
    guard: 'a result stands behind its step, whatever was said meanwhile',
    file: 'log/context/context.ts',
    find: 'if (at === undefined) return appendAside(',
    replace:
      'if (at !== context.items.length) return append(context, itemOf(entry))\n  if (at === undefined) return appendAside(',
  },
  {
    guard: 'a call takes one result',
    file: 'log/open-calls.ts',
    find: 'open.delete(part.toolCallId))',
    replace: 'open.has(part.toolCallId))',
  },
  {
    guard: 'calls that the provider runs wait for nobody',
    file: 'log/open-calls.ts',
    find: "return call.providerExecuted ? [] : [{ call, awaits: 'result' }]",
    replace: "return [{ call, awaits: 'result' }]",
    tests: ['promises/g04', 'log/open-calls.test.ts'],
  },
  {
    guard: 'nothing comes between calls that wait and their results',
    file: 'log/context/context.ts',
    find: 'if (start === undefined) append(context, item)',
    replace: 'if (true) append(context, item)\n  else if (start === undefined) return',
  },
  {
    guard: 'a pending step stays in the tail',
    file: 'compaction/cut/cut.ts',
    find: "newestStep.status !== 'aborted' &&",
    replace: "newestStep.status === 'closed' &&",
  },
  {
    guard: 'no plugin sets a continuation behind a pending call',
    file: 'compaction/cut/planned-cut.ts',
    find: "if (last?.type === 'step' && last.status === 'pending') return null",
    replace: '',
  },
  {
    guard: 'a provider’s own call that awaits an approval is pending',
    file: 'log/open-calls.ts',
    find: 'if (asked.length === 0) return call.providerExecuted',
    replace: 'if (asked.length === 0 || call.providerExecuted) return call.providerExecuted',
  },
  {
    guard: 'a result that comes while a summary is written finds its step',
    file: 'log/context/items-of.ts',
    find: 'if (at !== undefined) items.splice(at, 0, item)',
    replace: 'if (at !== undefined) items.push(item)',
  },
])
