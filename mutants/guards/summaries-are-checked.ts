import { guardsOf } from './guard.ts'

const check = 'compaction/summary/check.ts'
const repair = 'compaction/summary/repair.ts'
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
    find: "if (said.text === '') return ['it was empty']",
    replace: '',
    tests,
  },
  {
    guard: 'a refusal is no summary',
    file: check,
    find: "if (isRefusal(said)) return ['it was a refusal']",
    replace: '',
    tests,
  },
  {
    guard: 'headings with nothing under them are no summary',
    file: check,
    find: "if (saysNothing(said)) return ['it said nothing under any of its headings']",
    replace: '',
    tests,
  },
  {
    guard: 'a nod is no summary',
    file: check,
    find: 'if (short && (!headed || most > little)) {',
    replace: 'if (false) {',
    tests,
  },
  {
    guard: 'a few words are no summary of a long history',
    file: check,
    find: 'if (tokens >= Math.min(most * leastShare, budget * leastOfBudget)) return []',
    replace: 'return []',
    tests,
  },
  {
    guard: 'what is too long is cut, and not thrown away',
    file: 'compaction/summary/shorten.ts',
    find: 'if (fits()) return short',
    replace: 'return short',
  },
  {
    guard: 'a summary is no larger than its budget',
    file: repair,
    find: 'if (whole(text) <= budget) return preamble + text',
    replace: 'return preamble + text',
    tests: ['promises/g06', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'a summary is no larger than what it replaces',
    file: repair,
    find: 'input.replaced === undefined ? budget : Math.min(budget, input.replaced)',
    replace: 'budget',
  },
  {
    guard: 'a summary has every section of its template',
    file: 'compaction/summary/arrange.ts',
    find: "body !== '' || asked.has(headingKey(heading))",
    replace: "body !== ''",
  },
  {
    guard: 'a section that an answer lacks is told by the record',
    file: repair,
    find: 'const completed = completedSections(said, { ...input, budget: most })',
    replace: 'const completed = said',
  },
  {
    guard: 'an update loses no line without a reason',
    file: 'compaction/summary/with-model/summarize-with-model.ts',
    find: 'cut.previous ? fallenOut(cut.previous, summary, { facts, since }) : []',
    replace: '[]',
    tests: ['compaction/summary/with-model'],
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
    file: 'compaction/compact.ts',
    find: "yield candidate(cut, told, 'local', 'local')",
    replace: '',
  },
])
