import { guardsOf } from './guard.ts'

const repair = 'compaction/summary/repair.ts'

export const wordsOfTheHuman = guardsOf('G7', [
  {
    guard: 'rules that a summary forgets are put in word for word',
    file: repair,
    find: "['Instructions', missingRules(text, facts)],",
    replace: '',
  },
  {
    guard: 'the latest request that a summary forgets is put in word for word',
    file: repair,
    find: "['Goal', missingRequest(text, facts)],",
    replace: '',
    tests: ['promises/g07', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'rules that were taken back are listed as such',
    file: repair,
    find: "['Instructions', retractedRules(text, facts)],",
    replace: '',
    tests: ['promises/g07', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'the summary has room for the rules',
    file: 'compaction/cut/planned-cut.ts',
    find: 'const smallest = plus(leastSummary, ruleTokens(index(), counter))',
    replace: 'const smallest = leastSummary',
    tests: ['promises/g07', 'compaction/summary/local/summarize-locally.test.ts'],
  },
  {
    guard: 'pins stand in the summary block word for word',
    file: 'compaction/render/summary-block.ts',
    find: "const pinned = pins.length === 0 ? '' :",
    replace: "const pinned = true ? '' :",
  },
  {
    guard: 'pins that were taken back are listed as such',
    file: 'log/context.ts',
    find: 'context.unpinned.push(pin)',
    replace: '',
  },
  {
    guard: 'a pin that was taken back is a pin no more',
    file: 'log/context.ts',
    find: 'context.pins.delete(entry.pin)',
    replace: '',
  },
  {
    guard: 'a pin that would leave no room is refused',
    file: 'session/operations/pin.ts',
    find: 'if (tokens > limit) throw new PinBudgetError({ tokens, limit })',
    replace: '',
  },
  {
    guard: 'no unpin of what is not pinned',
    file: 'session/operations/pin.ts',
    find: 'if (!pins.has(pin)) throw new PinNotFoundError({ session: id, pin, pins: [...pins.keys()] })',
    replace: '',
  },
  {
    guard: 'the latest request stays in the tail, also where media or blanks follow it',
    file: 'compaction/cut/cut.ts',
    find: 'if (staying.includes(index) || holds <= room) keep(candidate)',
    replace: 'if (holds <= room) keep(candidate)',
  },
])

export const workOfTheSession = guardsOf('G8', [
  {
    guard: 'changed files that a summary leaves out are added',
    file: repair,
    find: "['Accomplished', missingFiles(text, facts)],",
    replace: '',
  },
  {
    guard: 'a file is listed with what happened to it',
    file: repair,
    find: 'if (words[state].test(text.slice(start, end === -1 ? undefined : end))) return true',
    replace: 'return true',
    tests: ['promises/g08', 'compaction/summary/repair.test.ts'],
  },
  {
    guard: 'what the session never held is marked',
    file: repair,
    find: 'if (!isHeld(name, facts, log)) ends.push(afterQuote(source, end))',
    replace: '',
  },
  {
    guard: 'a model’s seqs are taken off',
    file: repair,
    find: 'markUnseen(withoutRefs(invented), { facts, log, named })',
    replace: 'markUnseen(invented, { facts, log, named })',
  },
  {
    guard: 'unresolved errors are listed',
    file: repair,
    find: "['Discoveries', missingErrors(text, facts)],",
    replace: '',
    tests: ['promises/g08', 'compaction/summary/repair.test.ts'],
  },
])
