import { guardsOf } from './guard.ts'

export const whatWasGivenStays = guardsOf('G13', [
  {
    guard: 'the newest step is clipped, and not left out',
    file: 'compaction/cut/cut.ts',
    find: "whole.tokens > room && unit.type === 'step' && isNewestStep(units, index)",
    replace: 'false',
    tests: ['promises/g13', 'compaction/cut/'],
  },
  {
    guard: 'a marker says what was left out between two kept parts',
    file: 'compaction/cut/cut.ts',
    find: 'if (gap) {',
    replace: 'if (false) {',
    tests: ['promises/g13', 'compaction/cut/'],
  },
  {
    guard: 'a request whose media must go stands with its words',
    file: 'compaction/continuation/continuation.ts',
    find: 'return hasMedia(human.message) ? withoutMedia(human) : null',
    replace: 'return null',
    tests: ['promises/g13', 'compaction/'],
  },
])

export const onceSummarized = guardsOf('G14', [
  {
    guard: 'a summary by code carries the one before it',
    file: 'compaction/compact.ts',
    find: 'previous: cut.previous,',
    replace: 'previous: undefined,',
    tests: ['promises/g14', 'promises/g07', 'src/session/'],
  },
  {
    guard: 'a model is given the summary that it updates',
    file: 'compaction/summary/with-model/summarize-with-model.ts',
    find: 'const previous = cut.previous && withoutRecordNames(cut.previous)',
    replace: 'const previous = undefined',
    tests: ['promises/g14', 'compaction/summary/', 'src/session/'],
  },
])
