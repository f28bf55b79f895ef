import { guardsOf } from './guard.ts'

const check = 'compaction/summary/check.ts'
const tests = ['promises/g06', 'compaction/summary/check.test.ts']

export const badSummaries = guardsOf('G6', [
  {
    guard: 'a summary is checked at all',
    file: 'compaction/summary/with-model/summarize-with-model.ts',
    find: 'if (problems.length > 0) return { problems, answered: true, calls }',
    replace: '',
  },
  {
    guard: 'a tool call is no summary',
    file: check,
    find: "if (answer.finish === 'tool-calls') return ['it was a tool call instead of a summary']",
    replace: '',
    tests,
  },
  {
    guard: 'what a content filter refused is no summary',
    file: check,
    find: "if (answer.finish === 'content-filter') return ['it was refused by a content filter']",
    replace: '',
    tests,
  },
  {
    guard: 'what ended in an error is no summary',
    file: check,
    find: "if (answer.finish === 'error') return ['it ended in an error']",
    replace: '',
    tests,
  },
  {
    guard: 'an empty answer is no summary',
    file: check,
    find: "if (text === '') return ['it was empty']",
    replace: '',
    tests,
  },
  {
    guard: 'what was cut off is no summary',
    file: check,
    find: "if (answer.finish === 'length') problems.push(",
    replace: 'if (false) problems.push(',
    tests,
  },
  {
    guard: 'a refusal is no summary',
    file: check,
    find: 'if (isRefusal(parsed)) problems.push',
    replace: 'if (false) problems.push',
    tests,
  },
  {
    guard: 'headings with nothing under them are no summary',
    file: check,
    find: 'else if (saysNothing(parsed)) problems.push',
    replace: 'else if (false) problems.push',
    tests,
  },
  {
    guard: 'a summary is no larger than its budget',
    file: check,
    find: 'if (tokens > budget) problems.push',
    replace: 'if (false) problems.push',
    tests,
  },
  {
    guard: 'a summary is no larger than what it replaces',
    file: check,
    find: 'if (replaced !== undefined && tokens > replaced) {',
    replace: 'if (false) {',
    tests,
  },
  {
    guard: 'a summary has every section of its template',
    file: check,
    find: 'if (missing.length > 0) problems.push',
    replace: 'if (false) problems.push',
    tests,
  },
  {
    guard: 'an answer without text is a failure, not a crash',
    file: 'compaction/summary/with-model/summarize-with-model.ts',
    find: "if (typeof answer?.text !== 'string')",
    replace: 'if (false)',
  },
  {
    guard: 'an aborted summary is given up at once',
    file: 'compaction/summary/with-model/summarize-with-model.ts',
    find: 'signal?.throwIfAborted()\n    const calls = callsBefore(error, summarizer)',
    replace: 'const calls = callsBefore(error, summarizer)',
  },
  {
    guard: 'the local summary takes the place of one that failed',
    file: 'compaction/rungs.ts',
    find: "yield candidate(cut, locally(cut), 'local', 'local')",
    replace: '',
  },
])
